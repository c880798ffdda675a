import KeyvRedis from '@keyv/redis';
import { errorCode } from '../../core/errors.ts';
import { type NamespaceName, orStorageFailed, type Store } from '../../core/store.ts';
import { atMostEvery } from '../../core/time.ts';
import { kindsOf, type SealedContext } from '../backend/sealed-values.ts';
import { type AllNames, loadStoredNames, Sealer } from '../backend/sealer.ts';
import {
  type Backend,
  countUnopened,
  reportQueue,
  reportUnreadable,
  type StorageContext,
  unopenedIn,
} from '../backend/storage.ts';
import { BullJobs } from './bull-jobs.ts';
import { BullQueue } from './bull-queue.ts';
import {
  connect,
  type Durably,
  durablyOn,
  leasesIn,
  PREFIX,
  QUEUE,
  type ValuesConnection,
} from './redis-connection.ts';

const SCANNED_AT_ONCE = 500;
const UNOPENED_EVERY_MS = 10_000;

/** What people were told is stored here: a failover must not lose it. */
const CONFIRMED: ReadonlySet<NamespaceName> = new Set([
  'accepted',
  'cancelled',
  'follows',
  'owners',
  'subscriptions',
  'waiting-for-newer',
]);

/**
 * The connection reconnects by itself; Keyv's adapter would reconnect it even after it was closed. `durably` confirms what
 * is set.
 */
class ConnectedAdapter extends KeyvRedis<string> {
  readonly #durably: Durably | undefined;

  constructor(connection: ValuesConnection, durably?: Durably) {
    super(connection, { throwOnConnectError: true, throwOnErrors: true });
    this.#durably = durably;
    this.on('error', () => {});
  }

  override async getClient() {
    if (!this.client.isOpen) throw new Error('the connection to Redis was closed');
    return super.getClient();
  }

  override async set(...args: Parameters<KeyvRedis<string>['set']>) {
    const write = async () => void (await super.set(...args));
    await (this.#durably === undefined ? write() : this.#durably(write));
  }
}

/** The store on Redis, for any number of replicas. */
function redisStore(client: ValuesConnection, context: SealedContext, checkQueue: () => void): Store {
  const durably = durablyOn(
    () => client.socketEpoch,
    (...words) => client.sendCommand(words),
  );
  const leases = leasesIn(client, context.names);
  return {
    leases,
    isShared: true,
    namespace: kindsOf({ ...context, leases }, (name) => ({
      store: new ConnectedAdapter(client, CONFIRMED.has(name) ? durably : undefined),
      namespace: `${PREFIX}:values:${name}`,
    })),
    /** Writes as for a promise: a Redis that is full or read-only answers a PING but takes no writes. */
    check: () =>
      orStorageFailed(async () => {
        await durably(() => leases.hold('self-test', 1));
        checkQueue();
      }),
    clear: () =>
      orStorageFailed(async () => {
        const options = { MATCH: `${PREFIX}:*`, COUNT: SCANNED_AT_ONCE };
        for await (const keys of client.scanIterator(options)) {
          if (keys.length > 0) await client.unlink(keys);
        }
      }),
    close: async () => client.destroy(),
  };
}

const REPAIR =
  'check that it runs, the address and the password in REDIS_URL, redis:// or rediss://, and the firewall';

/** Opens the store and the queue that replicas share. Redis may be away at the start and come later. */
export async function openRedis(
  url: string,
  stateKeys: readonly [Uint8Array, ...Uint8Array[]],
  context: StorageContext,
): Promise<Backend> {
  const { now } = context;
  const logger = context.logger.child({ part: 'redis' });
  const connection = await connect(url, {
    lost: (error) => {
      const reason = (error instanceof Error && error.message) || errorCode(error);
      const message = 'Redis cannot be used: no command is accepted until it can';
      logger.error({ setting: 'REDIS_URL', reason, repair: REPAIR }, message);
    },
    back: () => logger.info('Redis can be used again'),
  });
  const sealer = new Sealer(stateKeys);
  const onUnreadable = reportUnreadable(context);
  const report = reportQueue(context);
  const onError = (error: unknown, id: string | undefined) => {
    // Each connection of the queue says again what was said of Redis.
    if (id === undefined && !connection.isReady) logger.debug({ err: error }, 'the queue has no connection');
    else report(error, id);
  };
  const names = namesIn(connection, sealer);
  const queue = await new BullQueue({ url, sealer, names, now, onError }).open();
  const sealed = { sealer, names, onUnreadable };
  const countSometimes = atMostEvery(UNOPENED_EVERY_MS, () => countUnopened(sealedIn(connection), sealer));
  return {
    store: redisStore(connection, sealed, () => queue.worker?.check()),
    jobs: { of: (kind) => new BullJobs(kind, queue), stop: (ms) => queue.stop(ms) },
    unopened: unopenedIn(countSometimes, logger),
  };
}

const LAST_OF_BEGINNING = 15;

/** The beginnings of all sealed values and open jobs: slow, for rare work. */
export async function* sealedIn(client: ValuesConnection): AsyncGenerator<string> {
  const beginningOf = (key: string) => client.getRange(key, 0, LAST_OF_BEGINNING);
  const beginningOfJob = async (key: string) =>
    JSON.parse((await client.hGet(key, 'data')) ?? '{}').sealed ?? '';
  for (const [TYPE, MATCH, read] of [
    ['string', `${PREFIX}:values:*`, beginningOf],
    ['hash', `${PREFIX}:${QUEUE}:*-*`, beginningOfJob],
  ] as const) {
    for await (const keys of client.scanIterator({ TYPE, MATCH, COUNT: SCANNED_AT_ONCE })) {
      const beginnings: string[] = await Promise.all(keys.map(read));
      // What has gone meanwhile has none.
      yield* beginnings.filter((each) => each !== '');
    }
  }
}

/** The stored names are loaded when first needed, and again after a failure: Redis may be away. */
function namesIn(connection: ValuesConnection, sealer: Sealer): () => Promise<AllNames> {
  const keyOf = (keyName: string) => `${PREFIX}:secrets:${keyName}`;
  const shelf = {
    get: async (keyName: string) => (await connection.get(keyOf(keyName))) ?? undefined,
    add: async (keyName: string, sealed: string) =>
      void (await connection.set(keyOf(keyName), sealed, { condition: 'NX' })),
  };
  let loading: Promise<AllNames> | undefined;
  return () => {
    loading ??= loadStoredNames(shelf, sealer).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
