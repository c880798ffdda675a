import type { Storage, StorageContext, StorageSettings } from './backend/storage.ts';

/**
 * Opens the backend that the settings name: a Redis that replicas share, or else the file of one process. Loads the
 * code of that backend only. Throws `DataDirInUse`, `DataDirUnusable`, `DataDirOfOtherVersion` and `KeyFileUnusable`.
 */
export async function openStorage(settings: StorageSettings, context: StorageContext): Promise<Storage> {
  const { redisUrl, dataDir, stateKeys } = settings;
  if (redisUrl === undefined) {
    const { openSqlite } = await import('./sqlite/open-sqlite.ts');
    return openSqlite(dataDir, stateKeys, context);
  }
  const [first, ...others] = stateKeys;
  if (first === undefined) throw new Error('a store on Redis needs a STATE_KEY');
  const { openRedis } = await import('./redis/open-redis.ts');
  return openRedis(redisUrl, [first, ...others], context);
}
