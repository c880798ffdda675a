import { vi } from 'vitest';

/** As long as the emulators wait. */
const TIMEOUT_MS = 15_000;

/**
 * Settles when a check that throws, or rejects, does so no more; rejects with the last reason after `ms` milliseconds.
 * Tests that run beside others can't use `expect.poll`, which belongs to the one that began last.
 */
export async function eventually(check: () => unknown, ms = TIMEOUT_MS): Promise<void> {
  await vi.waitFor(check, { timeout: ms, interval: 30 });
}
