import { describe, expect, test } from 'vitest';
import { runSeed } from '../chaos/run.ts';
import { makeCertificates } from '../emulators/certificates.ts';
import { has } from '../support/needs.ts';

/** The long form plays many more: `npm run test:chaos`. */
const FIXED = [7, 8];
const KINDS = has('redis-server') ? (['embedded', 'redis'] as const) : (['embedded'] as const);

const certificates = makeCertificates();
const random = Date.now() % 1_000_000;

describe.concurrent.each(KINDS)('Chaos on the %s store', (kind) => {
  // The title names the seed, so that whoever sees it fail can play it again.
  test.for([...FIXED, random])('breaks no promise, from seed %i on', { timeout: 120_000 }, async (seed) => {
    const { broken, accepted } = await runSeed(kind, seed, await certificates);
    expect(broken).toEqual([]);
    // A random seed may have nobody type anything.
    if (FIXED.includes(seed)) expect(accepted).toBeGreaterThan(0);
  });
});
