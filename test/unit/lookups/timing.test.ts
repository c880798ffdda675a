import { expect, test } from 'vitest';
import { DEFAULT_TIMING } from '../../../src/lookups/lookups.ts';

test('The shipped bot asks for a snapshot again ten seconds after a 202, and expects an answer within five', () => {
  const { intervalMs, answerMs } = DEFAULT_TIMING;
  // The first is the service's demand (specification, 4.2). Both together are how long a dead replica holds others up.
  expect({ intervalMs, answerMs }).toEqual({ intervalMs: 10_000, answerMs: 5_000 });
});

test('The other shipped times are those that the documents promise', () => {
  const { intervalMs: _interval, answerMs: _answer, retry: _retry, http: _http, ...times } = DEFAULT_TIMING;
  expect(times).toEqual({
    ...{ progressAfterMs: 1_000, notifyAfterMs: 60_000, coolDownMs: 300_000, shutdownDelayMs: 1_000 },
    ...{ longestStepMs: 150_000, dayMs: 86_400_000 },
  });
});
