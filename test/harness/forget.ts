import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Workplace } from './workplace.ts';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Starts the bot anew on an empty disk: nothing that was read before is kept. */
export function forget({ restart }: Workplace): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
  folders.push(folder);
  return restart({ DATA_DIR: folder });
}
