import { expect, test } from 'vitest';
import { responseUrl } from '../../../../src/core/lookup.ts';

const URL = 'https://hooks.slack.test/1';

test('A response URL is good for half an hour', () => {
  expect(responseUrl(URL, true, 1_000)).toEqual({ url: URL, replaces: true, expiresAt: 1_801_000 });
  expect(responseUrl(URL, false, 0)).toEqual({ url: URL, replaces: false, expiresAt: 1_800_000 });
});
