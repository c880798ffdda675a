import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';
import { LAYERS, STRANGERS } from './layers.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

function layerOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? path : folder;
}

function isWithin(layer: string, folder: string): boolean {
  return layer === folder || layer.startsWith(`${folder}/`);
}

/** What is wrong with one import of one file, or undefined. Both are paths from `src`. */
function problemWith(importer: string, imported: string): string | undefined {
  const [from, to] = [layerOf(importer), layerOf(imported)];
  const unknown = [from, to].find((layer) => !LAYERS.includes(layer));
  if (unknown !== undefined)
    return `${unknown} is not in test/structure/layers.ts: say there where it belongs`;
  if (LAYERS.indexOf(to) > LAYERS.indexOf(from)) return `${from} is below ${to} and may not import it`;
  const strangers = STRANGERS.some(([one, other]) => isWithin(from, one) && isWithin(to, other));
  return strangers ? `${from} may not import ${to}` : undefined;
}

function importsOf(file: string): string[] {
  const path = join(SOURCE, file);
  const { staticImports, staticExports } = parseSync(path, readFileSync(path, 'utf8')).module;
  const specifiers = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
  ];
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) =>
      relative(SOURCE, join(dirname(path), specifier))
        .split(sep)
        .join('/'),
    );
}

/** Every import in `src` that goes against the order, as a line that names the file. */
function importProblems(): string[] {
  return globSync('**/*.ts', { cwd: SOURCE })
    .sort()
    .flatMap((file) =>
      importsOf(file).flatMap((imported) => {
        const problem = problemWith(file, imported);
        return problem === undefined ? [] : [`src/${file}: ${problem} (${imported})`];
      }),
    );
}

const problems = importProblems();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
