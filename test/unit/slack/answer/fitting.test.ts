import { expect, test } from 'vitest';
import type { Acceptance } from '../../../../src/core/comparing.ts';
import { oneLine } from '../../../../src/core/texts.ts';
import {
  brief,
  heightOf,
  linesOf,
  messageText,
  type Phone,
  textLine,
} from '../../../../src/slack/answer/fitting.ts';
import { words } from '../../../../src/slack/blocks/blocks.ts';
import { bytesOf, LIMITS } from '../../../../src/slack/blocks/limits.ts';
import { aDiagnostic } from '../../../support/a-diagnostic.ts';
import { fc } from '../../../support/fast-check.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

test('A text in brief takes no more lines than it may, and begins as the text does', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 1, max: 4 }), (text, lines) => {
      const short = brief(text, lines);
      expect(linesOf(short)).toBeLessThanOrEqual(lines);
      if (short !== oneLine(text)) expect(short).toMatch(/…$/);
    }),
  );
});

test.each([
  ['behind a sentence', 'Reboot. Then remove the files of it', 'Reboot…'],
  ['behind a call', 'Act now! Then remove the files of it', 'Act now…'],
  ['behind a question', 'Sure? Then remove the files of it', 'Sure…'],
  ['not behind an abbreviation', 'Restart it, e.g. at night when nobody works', 'Restart it, e.g. at night…'],
  ['not behind a mark that stands alone', 'Files of the kind ? are found in it', 'Files of the kind ? are…'],
  ['without the mark that says what follows', 'Still being processed: everything', 'Still being processed…'],
  ['without the point between two parts', 'edge-7 · C117-abcdef · chs600777s', 'edge-7 · C117-abcdef…'],
  [
    'in a word that is longer than a line',
    'See https://x.example/a/very/long/path',
    'See https://x.example/a/…',
  ],
])('A text is cut %s', (_where, text, said) => {
  expect(brief(text, 1, 12)).toBe(said);
});

test('As many letters fit as their widths leave room for: narrow ones, and those that are two wide', () => {
  const [narrow, square] = ['i'.repeat(36), '設'.repeat(12)];
  expect([narrow, square].map((text) => brief(text, 1, 12))).toEqual([narrow, square]);
  expect([linesOf(square.repeat(2), 12), linesOf(`${square.repeat(2)}設`, 12)]).toEqual([2, 3]);
});

test('Bold text takes more room', () => {
  const phone: Phone = { line: 12, bold: 11, header: 10, row: 30 };
  const text = '設'.repeat(12);
  expect(heightOf([words(text)], phone)).toBe(1);
  expect(heightOf([words('設', { bold: true }), words(text.slice(1))], phone)).toBe(2);
});

test('A long title of an accepted hit is cut, and not that it was accepted', () => {
  const accepted: Acceptance = {
    ...{ name: 'D1', importance: 'HIGH', user: 'U1', userName: 'ana', reason: 'booked', at: 0, until: 9 },
    ...{ snapshotId: snapshotId('1001'), host: '' },
  };
  expect(textLine(aDiagnostic({ title: 'x'.repeat(200) }), accepted)).toMatch(/x… \(accepted\)$/);
});

test('The text beside the blocks has as many whole lines as Slack takes bytes', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `${at} ${'設'.repeat(100)}`);
  expect(messageText(['One'], lines)).toBe(['One', ...lines.slice(0, 12), '…'].join('\n'));
  expect(messageText(['One'], lines.slice(0, 12))).toBe(['One', ...lines.slice(0, 12)].join('\n'));
  const sizeOf = (length: number) => bytesOf(messageText(['One'], ['x'.repeat(length), 'y']));
  const longest = LIMITS.text - bytesOf('One\n\n…');
  expect([sizeOf(longest), sizeOf(longest + 1)]).toEqual([LIMITS.text, bytesOf('One\n…')]);
});
