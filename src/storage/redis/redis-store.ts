import KeyvRedis from '@keyv/redis';
import { Mutex } from '../../core/mutex.ts';
import type { NamespaceName } from '../../core/namespaces.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import type { Namespace, Store } from '../../core/store.ts';
import { EARLIER_NAMES } from '../backend/earlier-release.ts';
import { type SealedContext, SealedNamespace } from '../backend/sealed-namespace.ts';
import { type Durably, onOneServer } from './durable-write.ts';
import type { RedisConnection } from './redis-client.ts';
import { RedisLeases } from './redis-leases.ts';

const SCANNED_AT_ONCE = 500;
/** Each namespace's adapter adds listeners to the one connection: more than Node's warning limit. */
const MOST_LISTENERS = 100;

/** What people were told is stored here: a failover must not lose it. */
const CONFIRMED: ReadonlySet<NamespaceName> = new Set(['cancelled', 'owners', 'reminders', 'subscriptions']);

/** The connection for writes that must not be lost, and how they are confirmed. */
type ConfirmedWrites = { readonly confirmed: RedisConnection; readonly durably: Durably };

/** The connection reconnects by itself; Keyv would reconnect it even after it was closed. */
class ConnectedAdapter extends KeyvRedis<string> {
  readonly #connection: RedisConnection;
  readonly #durably: Durably;

  constructor(connection: RedisConnection, namespace: string, durably: Durably) {
    super(connection, { namespace, throwOnConnectError: true, throwOnErrors: true });
    this.#connection = connection;
    this.#durably = durably;
    this.on('error', () => {});
  }

  override async set(...args: Parameters<KeyvRedis<string>['set']>) {
    await this.#durably(this.#connection, () => super.set(...args));
  }

  override async getClient() {
    if (!this.client.isOpen) throw new Error('the connection to Redis was closed');
    return super.getClient();
  }
}

/** The store on Redis, for any number of replicas. */
export class RedisStore implements Store {
  readonly leases: RedisLeases;
  readonly mutex: Mutex;
  readonly #client: RedisConnection;
  readonly #prefix: string;
  readonly #context: SealedContext;
  readonly #confirmed: ConfirmedWrites;

  constructor(client: RedisConnection, prefix: string, context: SealedContext, confirmed: ConfirmedWrites) {
    this.#client = client.setMaxListeners(MOST_LISTENERS);
    this.#prefix = prefix;
    this.#context = context;
    this.#confirmed = confirmed;
    this.leases = new RedisLeases(client, prefix, context.names);
    this.mutex = new Mutex(this.leases);
  }

  namespace<Value>(name: NamespaceName): Namespace<Value> {
    const earlierName = EARLIER_NAMES[name];
    const plain = (namespace: string) => new ConnectedAdapter(this.#client, namespace, onOneServer);
    const earlier = earlierName === undefined ? undefined : plain(`${this.#prefix}:${earlierName}`);
    const { confirmed, durably } = this.#confirmed;
    const namespace = `${this.#prefix}:values:${name}`;
    const adapter = CONFIRMED.has(name)
      ? new ConnectedAdapter(confirmed, namespace, durably)
      : plain(namespace);
    return new SealedNamespace<Value>(name, adapter, this.#context, earlier);
  }

  /** Writes as for a promise: a Redis that is full or read-only answers a PING but takes no writes. */
  async check(): Promise<void> {
    const { confirmed, durably } = this.#confirmed;
    await orStorageFailed(async () => {
      const key = `${this.#prefix}:leases:${(await this.#context.names()).of('leases', 'self-test')}`;
      const expiration = { type: 'PX', value: 1 } as const;
      await durably(confirmed, () => confirmed.set(key, '1', { expiration }));
    });
  }

  async clear(): Promise<void> {
    await orStorageFailed(async () => {
      const options = { MATCH: `${this.#prefix}:*`, COUNT: SCANNED_AT_ONCE };
      for await (const keys of this.#client.scanIterator(options)) {
        if (keys.length > 0) await this.#client.unlink(keys);
      }
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }
}
