import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/diagnostics.ts';
import { boundedTexts as bounded } from '../../../src/service/bounded-texts.ts';
import { readDocument } from '../../../src/service/document.ts';
import { documentWithHit } from '../../emulators/diagnostics-service/shapes.ts';
import { aDiagnostic } from '../../support/a-diagnostic.ts';
import { saying } from '../../support/every-field.ts';

const NOTE = '(cut here: the document is too large to keep in full)';

const boundedTexts = (diagnostics: readonly Diagnostic[]) => bounded(diagnostics)?.diagnostics;

function lengthOf(diagnostics: readonly Diagnostic[] | undefined): number {
  return JSON.stringify(diagnostics).length;
}

test('A result of a usual size stays as it is, however long one of its texts', () => {
  const usual = [
    aDiagnostic({ output: ['x'.repeat(1_900_000)] }),
    aDiagnostic({ summary: 'y'.repeat(90_000) }),
  ];
  expect(boundedTexts(usual)).toBe(usual);
});

test('Of a result that is too large the longest texts are cut, and each cut says so', () => {
  const short = aDiagnostic({ summary: 'A summary.', action: 'An action.', output: ['one', 'two'] });
  const long = aDiagnostic({ output: ['z'.repeat(30_000_000), 'kept'], summary: 's'.repeat(2_000_000) });
  const found = boundedTexts([short, long]);
  expect(found?.[0]).toEqual(short);
  expect(found?.[1]?.output[0]).toMatch(/^z+… \(/);
  expect(found?.[1]?.output[0]).toContain(NOTE);
  expect(found?.[1]?.output[1]).toBe('kept');
  expect(lengthOf(found)).toBeLessThan(2_100_000);
  expect(lengthOf(found)).toBeGreaterThan(1_900_000);
});

/** Each text weighs 80 more than its length, the empty summaries and actions too. */
const FITS_TWICE = 1_000_000 - 3 * 80;

test('A text that just fits is not cut, and does not say so', () => {
  const both = [
    aDiagnostic({ output: ['x'.repeat(FITS_TWICE)] }),
    aDiagnostic({ output: ['y'.repeat(FITS_TWICE)] }),
  ];
  for (const each of both) Object.assign(each, { summary: '', action: '' });
  expect(boundedTexts(both)).toBe(both);
  const longer = aDiagnostic({ output: ['y'.repeat(FITS_TWICE + 1)], summary: '', action: '' });
  const found = boundedTexts([...both.slice(0, 1), longer]);
  expect(found?.[0]).toEqual(both[0]);
  expect(found?.[1]?.output[0]).toContain(NOTE);
});

test('Several long texts share the room', () => {
  const three = ['x', 'y', 'z'].map((letter) => aDiagnostic({ output: [letter.repeat(3_000_000)] }));
  const lengths = boundedTexts(three)?.map(({ output }) => output[0]?.indexOf('…'));
  expect(lengths).toEqual([666_426, 666_426, 666_426]);
});

test('Many short lines and texts count for more than their characters', () => {
  const lines = boundedTexts([aDiagnostic({ output: ['a\n'.repeat(1_000_000)] })])?.[0]?.output[0] ?? '';
  expect(lines.endsWith(NOTE)).toBe(true);
  expect(lines.split('\n').length).toBeLessThan(2_000_000 / 20);
  expect(lines.split('\n').length).toBeGreaterThan(2_000_000 / 25);
  const links = Array.from({ length: 20_000 }, () => ({ url: 'http://a.b' }));
  expect(boundedTexts([aDiagnostic({ solutions: links })])).toBeDefined();
  expect(boundedTexts([aDiagnostic({ solutions: [...links, ...links] })])).toBeUndefined();
});

test('A title counts for what it is compared as: one sign can stand for eighteen letters', () => {
  const isTooLarge = (length: number) =>
    boundedTexts([aDiagnostic({ title: '\ufdfa'.repeat(length) })]) === undefined;
  expect([100_000, 120_000].map(isTooLarge)).toEqual([false, true]);
});

test('No white space is left before the note', () => {
  const found = boundedTexts([aDiagnostic({ output: [`a${' '.repeat(5_000_000)}`] })]);
  expect(found?.[0]?.output[0]).toBe(`a… ${NOTE}`);
});

test('A document with evidence of 16 MB is read with the beginning of it', () => {
  const xml = documentWithHit(`<output>${'lorem ipsum '.repeat(1_400_000)}</output>`);
  const evidence = readDocument(xml).diagnostics[0]?.output[0] ?? '';
  expect(evidence.endsWith(NOTE)).toBe(true);
  expect(evidence.length).toBeGreaterThan(1_900_000);
});

test('No half of a character is left where a text is cut', () => {
  const found = boundedTexts([aDiagnostic({ output: ['😀'.repeat(1_000_001), '.'] })]);
  expect(found?.[0]?.output[0]).toContain(NOTE);
  expect(found?.[0]?.output[0]?.isWellFormed()).toBe(true);
});

test('A result of too many texts, or of endless titles and links, is too large', () => {
  const many = Array.from({ length: 50_000 }, () => aDiagnostic({ summary: 'w'.repeat(200) }));
  expect(boundedTexts(many)).toBeUndefined();
  // Beside two empty texts, of so many each may just weigh 100.
  const blocks = (count: number) =>
    boundedTexts([aDiagnostic({ output: Array(count).fill('w'.repeat(200)) })]);
  expect([19_998, 19_999].map((count) => blocks(count) !== undefined)).toEqual([true, false]);
  expect(boundedTexts([aDiagnostic({ title: 't'.repeat(2_000_001) })])).toBeUndefined();
  const links = Array.from({ length: 150_000 }, (_, id) => ({
    url: `https://support.example/${id}/articles`,
  }));
  expect(boundedTexts([aDiagnostic({ solutions: links })])).toBeUndefined();
});

const LONG = saying('l'.repeat(5_000_000));

/** What may be cut, and what is one of a few words: all others make a document too large. */
const KEPT = ['summary', 'action', 'output', 'unshown', 'match'];

test.each(Object.keys(LONG) as (keyof Diagnostic)[])('The text of every field counts: %s', (name) => {
  const found = boundedTexts([aDiagnostic({ [name]: LONG[name] })]);
  expect(found !== undefined).toBe(KEPT.includes(name));
  expect(lengthOf(found ?? [])).toBeLessThan(2_500_000);
});

test('An id is never cut in two, which would make another id of it, and what was read says how far', () => {
  const ids = 'see CVE-2026-10008, '.repeat(250_000);
  const read = bounded([aDiagnostic({ output: [ids] })]);
  const kept = read?.diagnostics[0]?.output[0]?.replace(`… ${NOTE}`, '') ?? '';
  expect(kept).toMatch(/(?:see|see CVE-2026-10008,?)$/);
  expect(read?.readTo).toBeLessThanOrEqual(2_000_000);
  expect(Math.abs((read?.readTo ?? 0) - kept.length)).toBeLessThan(2);
  expect(bounded([aDiagnostic({ output: ['short'] })])).not.toHaveProperty('readTo');
});

test('What was read says how far the one was that is cut first, wherever that stands', () => {
  const texts = ['x'.repeat(3_000_000), 'a\n'.repeat(1_000_000), 'y'.repeat(3_000_000)];
  const read = bounded([aDiagnostic({ output: texts })]);
  const lengths = read?.diagnostics[0]?.output.map((text) => text.indexOf('…')) ?? [];
  // The line break at which that one is cut is read too, and not kept before the note.
  expect(read?.readTo).toBe(Math.min(...lengths) + 1);
});
