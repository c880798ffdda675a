import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

/** The property names that the source reads (`a.name`, `{ name } = a`), and the codes in `fault('code', …)`. */
type UsedNames = { readonly read: ReadonlySet<string>; readonly faults: ReadonlySet<string> };

/** The names that the files of `src` use, without the files in `except` (paths relative to `src`). */
export function usedNames(except: readonly string[]): UsedNames {
  const read = new Set<string>();
  const faults = new Set<string>();
  const visitor = new Visitor({
    MemberExpression: ({ property }) => {
      if (property.type === 'Identifier') read.add(property.name);
    },
    ObjectPattern: ({ properties }) => {
      for (const property of properties) {
        if (property.type === 'Property' && property.key.type === 'Identifier') read.add(property.key.name);
      }
    },
    CallExpression: ({ callee, arguments: [code] }) => {
      if (callee.type === 'Identifier' && callee.name === 'fault' && code?.type === 'Literal')
        faults.add(String(code.value));
    },
  });
  for (const file of globSync('**/*.ts', { cwd: SOURCE })) {
    if (except.includes(file)) continue;
    const path = join(SOURCE, file);
    visitor.visit(parseSync(path, readFileSync(path, 'utf8')).program);
  }
  return { read, faults };
}
