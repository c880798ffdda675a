import { describe, expect, test } from 'vitest';
import { bytesOf, fitText, pieces, shorten, weigh } from '../../src/slack/blocks/limits.ts';
import { fc } from '../support/fast-check.ts';
import { hostileText } from '../support/hostile-text.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const MARKS = 'Z\u0351\u036B\u0343';

/** Whether each of these positions in a text is between two characters as people see them. */
function betweenCharacters(text: string, positions: readonly number[]): boolean {
  const starts = new Set([text.length, ...[...segmenter.segment(text)].map(({ index }) => index)]);
  return positions.every((position) => starts.has(position));
}

/** Long enough for any character of `hostileText` but the ones that are made to be endless. */
const limit = fc.integer({ min: 40, max: 3_000 });
const CHARACTERS = [
  '\u{1F469}\u200D\u{1F4BB}',
  '\u{1F1E9}\u{1F1EA}',
  '\u{1F44D}\u{1F3FD}',
  MARKS,
  '\r\n',
  ' ',
  'a',
];
const madeOfCharacters = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 2_000, size: 'max' })
  .map((found) => found.join(''));
/** Repeated tricks can be one endless character; these can't. */
const readable = fc.oneof(
  madeOfCharacters,
  hostileText.filter((text) => [...segmenter.segment(text)].every(({ segment }) => segment.length < 15)),
);

describe('a shortened text', () => {
  test.each([
    ['that fits stays as it is', 'twelve chars', 12, 'twelve chars'],
    ['ends with an ellipsis', 'twelve chars', 9, 'twelve c…'],
    ['has no space before the ellipsis', 'twelve chars', 8, 'twelve…'],
    ['keeps or loses an emoji whole', 'ab\u{1F469}\u200D\u{1F4BB}cd', 6, 'ab…'],
    ['of one endless character is only the ellipsis', `Z${'\u0351'.repeat(50)}`, 10, '…'],
  ])('%s', (_name, text, max, expected) => {
    expect(shorten(text, max)).toBe(expected);
  });

  test('is never longer than the limit, and its start is the start of the text, in whole characters', () => {
    fc.assert(
      fc.property(readable, limit, (text, max) => {
        const short = shorten(text, max);
        expect(short.length).toBeLessThanOrEqual(max);
        if (text.length <= max) expect(short).toBe(text);
        else {
          const kept = short.slice(0, -1);
          expect(short.endsWith('…') && text.startsWith(kept)).toBe(true);
          expect(betweenCharacters(text, [kept.length])).toBe(true);
        }
      }),
    );
  });
});

describe('a text that Slack counts in bytes', () => {
  test.each([
    ['that fits stays as it is', '設定', 6, '設定'],
    ['ends with an ellipsis, which has three bytes', '設定変更', 9, '設定…'],
    ['loses an escape whole', 'abc &amp; def', 10, 'abc…'],
    ['keeps an escape that is whole', 'a &amp; bcd ef', 12, 'a &amp; b…'],
    ['is not cut at an escape that begins behind its end', 'aaaaaaaa&amp;aaaa', 10, 'aaaaaaa…'],
    ['loses a mention whole', 'hello <@U0ANA> and', 15, 'hello…'],
    ['keeps a mention that is whole', '<@U0ANA> hello you', 15, '<@U0ANA> hel…'],
    ['keeps or loses an emoji whole', 'ab\u{1F469}\u200D\u{1F4BB}cd', 12, 'ab…'],
  ])('%s', (_name, text, max, expected) => {
    expect(fitText(text, max)).toBe(expected);
    expect(bytesOf(expected)).toBeLessThanOrEqual(max);
  });

  test('is never longer than the limit', () => {
    fc.assert(
      fc.property(hostileText, limit, (text, max) => {
        const fitted = fitText(text, max);
        expect(bytesOf(fitted)).toBeLessThanOrEqual(max);
        if (bytesOf(text) <= max) expect(fitted).toBe(text);
      }),
    );
  });
});

describe('the pieces of a text', () => {
  test.each([
    ['end after a line', 'first line\nsecond', 14, ['first line\n', 'second']],
    ['also where a word would be longer', 'first line\nof words', 18, ['first line\n', 'of words']],
    ['else after a word', 'some words more', 12, ['some words ', 'more']],
    ['else anywhere', 'x'.repeat(25), 10, ['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)]],
    ['never in a sign', `${'x'.repeat(9)}\u{1F44D}\u{1F3FD}y`, 10, ['x'.repeat(9), '\u{1F44D}\u{1F3FD}y']],
    ['nor before its marks', `${'x'.repeat(8)}${MARKS}y`, 10, ['x'.repeat(8), `${MARKS}y`]],
    ['nor between a space and its mark', 'aaaaaaa \u0301bbbb', 9, ['aaaaaaa \u0301', 'bbbb']],
    ['one where all of it fits', 'some words', 10, ['some words']],
    [
      'but between code points where one letter has more marks than fit',
      `a${'\u0301'.repeat(19)}`,
      10,
      [`a${'\u0301'.repeat(9)}`, '\u0301'.repeat(10)],
    ],
    [
      'and never within one, before its second half',
      `a${'\u{101FD}'.repeat(6)}`,
      10,
      [`a${'\u{101FD}'.repeat(4)}`, '\u{101FD}'.repeat(2)],
    ],
    ['nor behind it', `a${'\u{101FD}'.repeat(6)}`, 9, [`a${'\u{101FD}'.repeat(4)}`, '\u{101FD}'.repeat(2)]],
    ['and there is none of an empty text', '', 10, []],
  ])('%s', (_name, text, max, expected) => {
    expect(pieces(text, max)).toEqual(expected);
  });

  test('are the whole text, none is empty or too long, and none ends in half a character', () => {
    fc.assert(
      fc.property(readable, limit, (text, max) => {
        const found = pieces(text, max);
        expect(found.join('')).toBe(text);
        expect(found.every((piece) => piece.length > 0 && piece.length <= max)).toBe(true);
        let end = 0;
        const cuts = found.map((piece) => (end += piece.length));
        expect(betweenCharacters(text, cuts)).toBe(true);
      }),
    );
  });
});

test('a text weighs what Slack counts once it has escaped it', () => {
  expect(weigh('&<>')).toBeGreaterThanOrEqual('&amp;&lt;&gt;'.length);
  expect(weigh({ text: 'abc' })).toBe('{"text":"abc"}'.length);
});
