import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

/** Deletes everything that the bot stored, and restarts the bot. */
export function forget({ dataDir, restart }: World): Promise<void> {
  return restart({ DATA_DIR: mkdtempSync(join(dataDir, 'empty-')) });
}
