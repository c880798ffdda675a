import { expect, test } from 'vitest';
import { openHandlers } from '../fuzz/handlers.ts';
import { TARGETS } from '../fuzz/targets.ts';
import { fc } from '../support/fast-check.ts';

const RUNS = 1_500;
const DELIVERIES = 150;
/** The recorded deliveries have to reach more listeners than this. */
const KINDS = 30;

test.each(Object.entries(TARGETS))(
  'No input makes the reader of %s fail with an unexpected error',
  (_what, { input, check }) => {
    fc.assert(fc.property(input, check), { numRuns: RUNS });
  },
);

test('Fuzzing notices a reader that fails', () => {
  const { input } = TARGETS['commands and mentions'] ?? { input: fc.string() };
  const fails = fc.check(
    fc.property(input, (text) => !text.includes('<!channel>')),
    { numRuns: RUNS },
  );
  expect(fails.failed).toBe(true);
});

test('Each delivery is answered however it was changed, and the bot serves the next one', async ({
  onTestFinished,
}) => {
  const { input, check, kinds, serves, close } = await openHandlers();
  onTestFinished(close);
  expect(kinds).toBeGreaterThan(KINDS);
  await fc.assert(fc.asyncProperty(input, check), { numRuns: DELIVERIES, endOnFailure: true });
  expect(await serves()).toBe(true);
});
