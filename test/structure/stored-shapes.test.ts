import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { RESULT_VERSION } from '../../src/core/diagnostics.ts';
import { expectGolden } from '../support/golden.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');
const GOLDEN = join(import.meta.dirname, '..', 'golden');

/** The fields of each type that a file declares, as source text. */
function shapesIn(path: string): Record<string, string[]> {
  const text = readFileSync(join(SOURCE, path), 'utf8');
  const shapes: Record<string, string[]> = {};
  new Visitor({
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => {
      if (typeAnnotation.type !== 'TSTypeLiteral') return;
      shapes[id.name] = typeAnnotation.members.map(({ start, end }) =>
        text.slice(start, end).replace(/^readonly |;$/g, ''),
      );
    },
  }).visit(parseSync(path, text).program);
  return shapes;
}

test('A kept result has the fields of its version: a changed field needs a new version', () => {
  const now = { version: RESULT_VERSION, shapes: shapesIn('core/diagnostics.ts') };
  const kept: typeof now = JSON.parse(readFileSync(join(GOLDEN, 'kept-result.json'), 'utf8'));
  // A new field needs a new version: results that the previous release stored don't have the field.
  if (now.version <= kept.version) expect(now).toEqual(kept);
  expectGolden('kept-result', now);
});
