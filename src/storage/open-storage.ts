import type { Logger } from 'pino';
import type { Store } from '../core/store.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { connect, type RedisConnection } from './redis-connection.ts';
import { RedisStore } from './redis-store.ts';
import { Sealer } from './sealing.ts';
import { openSqliteFile } from './sqlite-file.ts';
import { ownStateKey } from './state-key.ts';

/** Where to keep state, and what seals it. `stateKeys` may be empty for the embedded store only. */
export type StorageSettings = {
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  readonly stateKeys: readonly Uint8Array[];
};

/** What is open: the store, and the Redis behind it where there is one, for the queue that replicas share. */
export type OpenedStorage = {
  readonly store: Store;
  readonly shared?: { readonly connection: RedisConnection; readonly sealer: Sealer };
};

/** Opens what the settings name. Throws `DataDirInUse` and `DataDirUnusable`. */
export async function openStorage(
  settings: StorageSettings,
  logger: Logger,
  now: () => number,
): Promise<OpenedStorage> {
  const onLost = (key: string) =>
    logger.error({ key }, 'a kept value could not be opened with the present STATE_KEY and was dropped');
  const [first, ...others] = settings.stateKeys;
  if (settings.redisUrl !== undefined) {
    if (first === undefined) throw new Error('a store on Redis needs a STATE_KEY');
    const sealer = new Sealer([first, ...others]);
    const connection = await connect(settings.redisUrl);
    return { store: new RedisStore(connection, { sealer, onLost }), shared: { connection, sealer } };
  }
  const database = openSqliteFile(settings.dataDir, (file) =>
    logger.error({ file }, 'the embedded store was damaged: it was set aside there, and a new one begun'),
  );
  const keys: [Uint8Array, ...Uint8Array[]] =
    first === undefined ? [keyFromFile(settings.dataDir, logger)] : [first, ...others];
  return { store: new EmbeddedStore(database, { sealer: new Sealer(keys), onLost, now }) };
}

function keyFromFile(dataDir: string, logger: Logger): Uint8Array {
  const { key, file, made } = ownStateKey(dataDir);
  if (made) {
    logger.info(
      { file },
      'no STATE_KEY: made a key file that only this user can read; keep it with the data',
    );
  }
  return key;
}
