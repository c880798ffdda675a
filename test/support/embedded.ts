import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Store } from '../../src/core/store.ts';
import { openStorage } from '../../src/storage/storage.ts';

const KEYS = [new Uint8Array(32).fill(1)] as const;

/** A SQLite store in its own folder; `close` also deletes the folder. */
export async function aStore(now: () => number = Date.now): Promise<Store> {
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-store-'));
  const settings = { kind: 'sqlite', dataDir, stateKeys: KEYS } as const;
  const { store } = await openStorage(settings, { logger: pino({ level: 'silent' }), now });
  return {
    ...store,
    close: async () => {
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
