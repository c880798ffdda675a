import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Several times what the tests store at once, including a browser's profile. */
const ENOUGH_BYTES = 2 ** 30;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/**
 * Keeps the data of the tests' bots in memory if the machine allows it; returns the clean-up. Tests open and close
 * hundreds of stores, and a slow disk would delay each of them.
 */
export function setup(): () => void {
  if (!hasRoom()) return () => {};
  const folder = mkdtempSync(join(MEMORY, 'snapshot-bot-tests-'));
  // biome-ignore lint/style/noProcessEnv: the processes that run the tests, and their child processes, inherit this.
  process.env.TMPDIR = folder;
  // Retries, because a browser may still be deleting its files.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
