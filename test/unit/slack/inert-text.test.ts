import { expect, test } from 'vitest';
import { link, plain, preformatted, words } from '../../../src/slack/block-kit/blocks.ts';
import { inert, visible } from '../../../src/slack/block-kit/inert-text.ts';

/** Every mark that turns the direction of the text around it (Unicode Standard Annex 9, Bidi_Control). */
const MARKS = [
  '061c',
  '200e',
  '200f',
  '202a',
  '202b',
  '202c',
  '202d',
  '202e',
  '2066',
  '2067',
  '2068',
  '2069',
];

test.each(MARKS)('The mark of direction U+%s never reaches Slack', (code) => {
  const text = `safe${String.fromCodePoint(Number.parseInt(code, 16))}gnp.exe`;
  const sent = [visible(text), inert(text), words(text), link('https://x.example', text), plain(text)];
  for (const each of [...sent, preformatted(text)]) {
    expect(JSON.stringify(each)).toContain('safegnp.exe');
  }
});

test.each(['\ud800', '\udc00'])('Half a character never reaches Slack', (half) => {
  expect(visible(`a${half}b`)).toBe('a\ufffdb');
  expect(JSON.stringify(words(`a${half}b`))).toContain('a\ufffdb');
});
