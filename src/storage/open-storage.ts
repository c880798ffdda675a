import type { Storage, StorageContext, StorageSettings } from './backend/storage.ts';

/**
 * Opens the storage of the settings: a Redis that replicas share, or a file of this process. Loads only the code of
 * that backend. Throws `DataDirUnusable`.
 */
export async function openStorage(settings: StorageSettings, context: StorageContext): Promise<Storage> {
  if (settings.kind === 'redis') {
    const { openRedis } = await import('./redis/redis-store.ts');
    return openRedis(settings, context);
  }
  const { openSqlite } = await import('./sqlite/open-sqlite.ts');
  return openSqlite(settings, context);
}
