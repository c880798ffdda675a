import { expect, test } from 'vitest';
import { isUsableForProgress, responseUrl } from '../../../../src/slack/delivery/response-url.ts';

const URL = 'https://hooks.slack.test/1';

test('A response URL is good for half an hour', () => {
  expect(responseUrl(URL, true, 1_000)).toEqual({ url: URL, replaces: true, expiresAt: 1_801_000 });
  expect(responseUrl(URL, false, 0)).toEqual({ url: URL, replaces: false, expiresAt: 1_800_000 });
});

test('Of its five uses the last one is kept for the answer', () => {
  const response = responseUrl(URL, true, 0);
  expect(isUsableForProgress(response)).toBe(true);
  const usable = [0, 1, 2, 3, 4, 5].filter((uses) => isUsableForProgress({ ...response, uses }));
  expect(usable).toEqual([0, 1, 2, 3]);
});
