import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

/** Restarts the bot on an empty disk, without anything that it had stored. */
export function forget({ dataDir, restart }: World): Promise<void> {
  return restart({ DATA_DIR: mkdtempSync(join(dataDir, 'empty-')) });
}
