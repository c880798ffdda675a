import { describe, expect, test } from 'vitest';
import { bytesOf, fitText, inert, pieces, shorten, visible, weigh } from '../../src/slack/blocks/limits.ts';
import { fc } from '../support/fast-check.ts';
import { hostileText } from '../support/hostile-text.ts';

const limit = fc.integer({ min: 40, max: 3_000 });
/** Texts without an unpaired surrogate: no cut may create one. */
const wellFormed = hostileText.map((text) => text.toWellFormed());

describe('a shortened text', () => {
  test.each([
    ['that fits stays as it is', 'twelve chars', 12, 'twelve chars'],
    ['ends with an ellipsis', 'twelve chars', 9, 'twelve c…'],
    ['has no space before the ellipsis', 'twelve chars', 8, 'twelve…'],
    ['loses a sign of two code units whole', 'ab\u{1F469}cd', 4, 'ab…'],
    ['keeps such a sign whole where it fits', 'ab\u{1F469}cd', 5, 'ab\u{1F469}…'],
  ])('%s', (_name, text, max, expected) => {
    expect(shorten(text, max)).toBe(expected);
  });

  test('is never longer than the limit, and its start is the start of the text, in whole code points', () => {
    fc.assert(
      fc.property(wellFormed, limit, (text, max) => {
        const short = shorten(text, max);
        expect(short.length).toBeLessThanOrEqual(max);
        expect(short.isWellFormed()).toBe(true);
        if (text.length <= max) expect(short).toBe(text);
        else expect(short.endsWith('…') && text.startsWith(short.slice(0, -1))).toBe(true);
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
    ['keeps or loses a sign of four bytes whole', 'ab\u{1F469}cd', 7, 'ab…'],
  ])('%s', (_name, text, max, expected) => {
    expect(fitText(text, max)).toBe(expected);
    expect(bytesOf(expected)).toBeLessThanOrEqual(max);
  });

  test('is never longer than the limit', () => {
    fc.assert(
      fc.property(wellFormed, limit, (text, max) => {
        const fitted = fitText(text, max);
        expect(bytesOf(fitted)).toBeLessThanOrEqual(max);
        expect(fitted.isWellFormed()).toBe(true);
        if (bytesOf(text) <= max) expect(fitted).toBe(text);
      }),
    );
  });
});

describe('the pieces of a text', () => {
  test.each([
    ['end after a line', 'first line\nsecond', 14, ['first line\n', 'second']],
    [
      'end after a line also where more words would fit',
      'first line\nof words',
      18,
      ['first line\n', 'of words'],
    ],
    ['end after a word where there is no line', 'some words more', 12, ['some words ', 'more']],
    [
      'end anywhere where there is no word',
      'x'.repeat(25),
      10,
      ['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)],
    ],
    ['never end within a code point', `${'x'.repeat(9)}\u{1F44D}y`, 10, ['x'.repeat(9), '\u{1F44D}y']],
    [
      'hold as many whole code points as fit',
      `a${'\u{101FD}'.repeat(6)}`,
      9,
      [`a${'\u{101FD}'.repeat(4)}`, '\u{101FD}'.repeat(2)],
    ],
    ['are one where all of the text fits', 'some words', 10, ['some words']],
    ['are none of an empty text', '', 10, []],
  ])('%s', (_name, text, max, expected) => {
    expect(pieces(text, max)).toEqual(expected);
  });

  test('are the whole text, none is empty or too long, and none ends in half a code point', () => {
    fc.assert(
      fc.property(wellFormed, limit, (text, max) => {
        const found = pieces(text, max);
        expect(found.join('')).toBe(text);
        expect(found.every((piece) => piece.length > 0 && piece.length <= max)).toBe(true);
        expect(found.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });
});

test('The size of a block is that of its JSON, with &, < and > no smaller than Slack’s escapes for them', () => {
  expect(weigh('&<>')).toBeGreaterThanOrEqual('&amp;&lt;&gt;'.length);
  expect(weigh({ text: 'abc' })).toBe('{"text":"abc"}'.length);
});

test('A text for Slack has no unpaired surrogate and no direction mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), hostileText, (some, other) => {
      for (const text of [visible(`${some}\ud83d${other}`), inert(`\udc69${other}\u202e${some}`)]) {
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
      }
    }),
  );
});
