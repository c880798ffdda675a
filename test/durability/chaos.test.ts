import { describe, expect, test } from 'vitest';
import { runSeed, runStorm } from '../chaos/run.ts';
import { has } from '../support/needs.ts';

/** Fixed seeds, so that a failure points at the change. `npm run test:chaos` runs many others. */
const SEEDS = [7, 440];
const KINDS = has('redis-server') ? (['embedded', 'redis'] as const) : (['embedded'] as const);
/** A fifth of the 200 commands of a full storm. */
const COMMANDS = 40;

describe.concurrent.each(KINDS)('Chaos on the %s store', (kind) => {
  test.for(SEEDS)('breaks no promise, from seed %i on', async (seed) => {
    const { broken, accepted } = await runSeed(kind, seed);
    expect(broken).toEqual([]);
    expect(accepted).toBeGreaterThan(0);
  });
});

test.concurrent('A storm breaks no promise', { timeout: 240_000 }, async () => {
  const { broken, accepted } = await runStorm(KINDS.at(-1) ?? 'embedded', 7, COMMANDS);
  expect(broken).toEqual([]);
  expect(accepted).toBeGreaterThan(0);
});
