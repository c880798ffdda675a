import { expect, test } from 'vitest';
import { NotADocument, TooLarge, TooManyDiagnostics } from '../../../src/core/faults.ts';
import { readDocument } from '../../../src/service/document.ts';
import { processingReason } from '../../../src/service/text.ts';
import { documentAround, documentWithHit } from '../../emulators/diagnostics-service/shapes.ts';

const MB = 1024 * 1024;
function repeated(text: string, bytes: number): string {
  return text.repeat(Math.ceil(bytes / text.length));
}

/**
 * None of these may take more than linear time: a megabyte is read in a tenth of a second, and in minutes where the time
 * is quadratic (10^12 steps), which runs into the time-out of the test, and in the bot would keep everybody waiting.
 */
const readable: [what: string, xml: string][] = [
  ['a block of spaces', documentWithHit(`<output>x${repeated(' ', MB)}y</output>`)],
  ['a block of blank lines', documentWithHit(`<output>x${repeated('\n \t', MB)}y</output>`)],
  ['a block that begins with blank lines', documentWithHit(`<output>${repeated(' \n', MB)}y</output>`)],
  ['a block that begins with line breaks', documentWithHit(`<output>${repeated('\n', 4 * MB)}y</output>`)],
  ['a block of line breaks', documentWithHit(`<output>x${repeated('\n', 4 * MB)}y</output>`)],
  ['a text of them', documentWithHit(`<results><h_summary>${repeated('\n', 4 * MB)}y</h_summary></results>`)],
  ['a title of them', documentWithHit(`<results><h_header>${repeated('\n', 4 * MB)}y</h_header></results>`)],
  ['line breaks of escaped markup', documentWithHit(`<output>${repeated('&lt;br&gt;', 4 * MB)}y</output>`)],
  ['list items of escaped markup', documentWithHit(`<output>${repeated('&lt;li&gt;', 4 * MB)}y</output>`)],
  ['a summary of spaces', documentWithHit(`<results><h_summary>x${repeated(' ', MB)}</h_summary></results>`)],
  ['a text of entities', documentWithHit(`<output>${repeated('&amp;amp;', MB)}</output>`)],
  ['a text of character references', documentWithHit(`<output>${repeated('&#65;', MB)}</output>`)],
  ['one long line', documentWithHit(`<output>${repeated('lorem ipsum ', 4 * MB)}</output>`)],
  ['a long attribute', documentWithHit('').replace('D000162521', repeated('x', MB / 2))],
  ['comments', documentAround(`${repeated('<!-- -->', MB)}<diagnostics/>`)],
  ['CDATA sections', documentWithHit(`<output>${repeated('<![CDATA[a]]>', MB)}</output>`)],
  ['processing instructions', documentAround(`${repeated('<?a b?>', MB)}<diagnostics/>`)],
];

test.each(readable)('A document with %s, very large, is read without hanging', (_, xml) => {
  expect(readDocument(xml).device.platform).toBe('C117');
});

const start = '<diagnostic_output>';
const refused: [what: string, body: string][] = [
  ['of spaces', repeated(' ', 31 * MB)],
  ['that begins like JSON', `{${repeated(' ', 31 * MB)}`],
  ['of brackets', start + repeated('<', MB)],
  ['of open tags', start + repeated('<a>', MB)],
  ['of a comment that never ends', `${start}<!--${repeated(' ', 31 * MB)}`],
  ['of comments that never end', start + repeated('<!--', MB)],
  ['of CDATA that never ends', start + repeated('<![CDATA[', 31 * MB)],
  ['of bare ampersands', documentWithHit(`<output>${repeated('&', 31 * MB)}</output>`)],
  ['of half a declaration', `<?xml ${repeated(' ', 8 * MB)}`],
  ['of a long name', `<${repeated('a', MB)}/>`],
  ['of an HTML comment', `<!--${repeated('-->', 8 * MB)}`],
];

test.each(refused)('A body %s, very large, is refused without hanging', (_, body) => {
  expect(() => readDocument(body)).toThrow(NotADocument);
});

test.each(['<', '<head', '</head ', '<!--', ' ', '&amp;'])(
  'A reason of nothing but %j is cut short without hanging',
  (text) => {
    expect(processingReason(repeated(text, 8 * MB)).length).toBeLessThanOrEqual(300);
  },
);

test('A name is never cut: one that is too long to store and show makes the document too large, at once', () => {
  const named = (bytes: number) => documentWithHit('').replace('D000162521', repeated('x', bytes));
  expect(readDocument(named(MB / 2)).diagnostics).toHaveLength(1);
  expect(() => readDocument(named(2 * MB))).toThrow(TooLarge);
});

test('2,000 diagnostics are read, and one more is not', () => {
  const of = (count: number) => documentAround(`<diagnostics>${'<diagnostic/>'.repeat(count)}</diagnostics>`);
  expect(readDocument(of(2_000)).diagnostics).toHaveLength(2_000);
  expect(() => readDocument(of(2_001))).toThrow(TooManyDiagnostics);
  const nested = documentWithHit('<diagnostic/>'.repeat(2_000));
  expect(() => readDocument(nested)).toThrow(TooManyDiagnostics);
});

test('Names and versions of the device are cut at 500 characters, because an export repeats them in each row', () => {
  const of = (text: string) =>
    readDocument(documentAround('<diagnostics hit_count="0"/>').replaceAll(/>[^<\s][^<]*<\//g, `>${text}</`));
  for (const [text, kept] of [
    ['x'.repeat(500), 'x'.repeat(500)],
    ['x'.repeat(501), `${'x'.repeat(500)}…`],
    [`${'x'.repeat(499)}😀`, `${'x'.repeat(499)}\ufffd…`],
  ]) {
    const { sha1, device, software } = of(text ?? '');
    expect([sha1, ...Object.values(device), ...Object.values(software)]).toEqual(Array(8).fill(kept));
  }
});
