import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Several times what the tests keep at once, a browser's profile included. */
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
 * Has tests keep the data of the bots that they start in memory, if this machine offers that; gives what removes it.
 * Hundreds of stores are opened and closed, each of which would wait for the disk; and a disk that is slow for a moment
 * would hold up a whole bot.
 */
export function setup(): () => void {
  if (!hasRoom()) return () => {};
  const folder = mkdtempSync(join(MEMORY, 'snapshot-bot-tests-'));
  // biome-ignore lint/style/noProcessEnv: the processes that run the tests, and those that tests start, inherit it.
  process.env.TMPDIR = folder;
  // A browser that ends with the tests removes its own files at the same time.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
