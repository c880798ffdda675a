import { vi } from 'vitest';

/** The same limit as in the emulators. */
const TIMEOUT_MS = 15_000;

/**
 * Waits until `check` neither throws nor rejects; after `ms` milliseconds rejects with its last error. Concurrent tests
 * can't use `expect.poll`, because it belongs to the test that began last.
 */
export async function eventually(check: () => unknown, ms = TIMEOUT_MS): Promise<void> {
  await vi.waitFor(check, { timeout: ms, interval: 30 });
}
