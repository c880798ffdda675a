import { expect, test } from 'vitest';
import { oneLine } from '../../../src/core/one-line.ts';

test.each([
  ['Memory leak in tmm', 'Memory leak in tmm'],
  ['Memory\nleak', 'Memory leak'],
  ['Memory\tleak', 'Memory leak'],
  ['Memory  leak', 'Memory leak'],
  ['Memory \r\n\t leak\u00a0in tmm', 'Memory leak in tmm'],
  [' leak ', 'leak'],
  ['\nleak\n', 'leak'],
  ['', ''],
])('%j on one line is %j', (text, line) => {
  expect(oneLine(text)).toBe(line);
});
