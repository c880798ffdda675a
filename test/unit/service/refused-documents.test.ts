import { expect, test } from 'vitest';
import type { NotADocument } from '../../../src/core/faults.ts';
import { readDocument } from '../../../src/service/document.ts';
import { BAD_SHAPES, documentAround } from '../../emulators/diagnostics-service/shapes.ts';
import { refusalOf } from '../../support/refusal-of.ts';

/** Why each bad shape is refused. */
const REFUSED: Record<keyof typeof BAD_SHAPES, NotADocument['reason']> = {
  empty: 'empty',
  blank: 'empty',
  plainText: 'not-xml',
  signInPage: 'html',
  json: 'json',
  wrongRoot: 'wrong-root',
  wrongRootInside: 'wrong-root',
  absentDiagnostics: 'no-diagnostics',
  errorInstead: 'no-diagnostics',
  textInsteadOfChecks: 'no-diagnostics',
  errorInsteadOfChecks: 'no-diagnostics',
  errorBesideNoChecks: 'no-diagnostics',
  emptyRoot: 'no-diagnostics',
  twoRoots: 'wrong-root',
  truncatedInTag: 'broken',
  truncatedInText: 'broken',
  truncatedAfterStart: 'broken',
  unclosedTag: 'broken',
  crossedTags: 'broken',
  doctype: 'doctype',
  billionLaughs: 'doctype',
  externalEntity: 'doctype',
  deepNesting: 'broken',
  binary: 'not-xml',
};

test('An empty list beside one that holds a text in place of checks does not say that there are none', () => {
  const xml = documentAround('<diagnostics/><diagnostics>no license</diagnostics>');
  expect(refusalOf(xml)).toBe('no-diagnostics');
});

test.each(Object.entries(REFUSED))('The body %s is no result, for this reason: %s', (shape, reason) => {
  expect(refusalOf(BAD_SHAPES[shape as keyof typeof BAD_SHAPES])).toBe(reason);
});

test.each([
  ['<diagnostics hit_count="0">\n<note/></diagnostics>', 0],
  ['<diagnostics hit_count="3"/><error>Too large.</error>', 0],
  ['<diagnostics/><diagnostics><diagnostic name="D1"/></diagnostics><error>Cut.</error>', 1],
  ['<diagnostics><!-- none --></diagnostics>', 0],
])('A list that is counted, filled or merely empty is one, whatever stands beside it: %s', (xml, count) => {
  expect(readDocument(documentAround(xml)).diagnostics).toHaveLength(count);
});
