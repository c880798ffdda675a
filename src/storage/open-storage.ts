import type { Storage, StorageContext, StorageSettings } from './backend/storage.ts';

/**
 * Opens the storage that the settings name: a Redis that replicas share, or else the file of one process. Loads the code of
 * that one only. Throws `DataDirUnusable`.
 */
export async function openStorage(settings: StorageSettings, context: StorageContext): Promise<Storage> {
  if (settings.kind === 'redis') {
    const { openRedis } = await import('./redis/open-redis.ts');
    return openRedis(settings, context);
  }
  const { openSqlite } = await import('./sqlite/open-sqlite.ts');
  return openSqlite(settings, context);
}
