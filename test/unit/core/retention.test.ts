import { expect, test } from 'vitest';
import { DEFAULT_RETENTION } from '../../../src/core/retention.ts';

const MINUTE_MS = 60_000;

test('A result is kept for a quarter of an hour, and history for as long as the service keeps a snapshot', () => {
  expect(DEFAULT_RETENTION).toEqual({ resultMs: 15 * MINUTE_MS, historyMs: 30 * 24 * 60 * MINUTE_MS });
});
