import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { NAMESPACES } from '../../src/core/store.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

/** The fields of each type that a file declares, as they are written there. */
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

/**
 * What the cache of results holds at its present version. A field that is added, renamed or retyped changes this list:
 * raise the version of `answers` in `src/core/store.ts` with it, so that results kept by the release before are
 * read again instead of being shown without the field.
 */
const KEPT_RESULTS = {
  version: 5,
  shapes: {
    Solution: ['url: string', 'id?: string'],
    Diagnostic: [
      'name: string',
      'otherName?: string',
      'match: Match',
      'importance: string',
      'title: string',
      'summary: string',
      'action: string',
      'output: readonly string[]',
      'solutions: readonly Solution[]',
      'cveIds: readonly string[]',
      'fixedIn: readonly string[]',
      'unshown?: string',
    ],
    Device: ['hostname: string', 'chassisSerial: string', 'platform: string'],
    Software: ['product: string', 'version: string', 'edition: string', 'built: string'],
    StatedCounts: ['hits?: number | undefined', 'misses?: number | undefined'],
    DiagnosticsResult: [
      'sha1: string',
      'device: Device',
      'software: Software',
      'stated: StatedCounts',
      'diagnostics: readonly Diagnostic[]',
      'readTo?: number',
    ],
  },
};

test('A kept result has the fields of its version: a changed field needs a new version', () => {
  const { version } = NAMESPACES.answers;
  expect({ version, shapes: shapesIn('core/diagnostics.ts') }).toEqual(KEPT_RESULTS);
});
