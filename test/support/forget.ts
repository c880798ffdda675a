import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './workplace.ts';

/** Starts the bot anew on an empty disk: nothing that was read before is kept. */
export function forget({ dataDir, restart }: World): Promise<void> {
  return restart({ DATA_DIR: mkdtempSync(join(dataDir, 'empty-')) });
}
