import type { Logger } from 'pino';
import type { Store } from '../core/store.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { connect, patient, type RedisConnection } from './redis-connection.ts';
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
  readonly shared?: {
    readonly connection: RedisConnection;
    readonly patient: RedisConnection;
    readonly sealer: Sealer;
  };
};

/** Opens what the settings name. Throws `DataDirInUse`, `DataDirUnusable` and `DataDirOfOtherVersion`. */
export async function openStorage(
  settings: StorageSettings,
  logger: Logger,
  now: () => number,
): Promise<OpenedStorage> {
  const onLost = (key: string, why: Error) =>
    logger.error({ key, err: why }, 'a kept value could not be read and was dropped');
  const [first, ...others] = settings.stateKeys;
  if (settings.redisUrl !== undefined) {
    if (first === undefined) throw new Error('a store on Redis needs a STATE_KEY');
    const sealer = new Sealer([first, ...others]);
    const connection = await connect(settings.redisUrl, {
      lost: (error) =>
        logger.error({ err: error }, 'Redis can not be used: until it can, no command is accepted'),
      back: () => logger.info('Redis can be used again'),
    });
    const shared = { connection, patient: patient(connection), sealer };
    return { store: new RedisStore(connection, { sealer, onLost }), shared };
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
