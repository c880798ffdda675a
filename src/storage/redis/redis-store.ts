import KeyvRedis from '@keyv/redis';
import { Mutex } from '../../core/mutex.ts';
import type { NamespaceName } from '../../core/namespaces.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import type { Namespace, Store } from '../../core/store.ts';
import { EARLIER_NAMES } from '../backend/earlier-release.ts';
import { type SealedContext, SealedNamespace } from '../backend/sealed-namespace.ts';
import type { RedisConnection } from './redis-client.ts';
import { RedisLeases } from './redis-leases.ts';

const SCANNED_AT_ONCE = 500;
/** Each namespace's adapter adds listeners to the one connection: more than Node's warning limit. */
const MOST_LISTENERS = 100;

/** The connection reconnects by itself; Keyv would reconnect it even after it was closed. */
class ConnectedAdapter extends KeyvRedis<string> {
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

  constructor(client: RedisConnection, prefix: string, context: SealedContext) {
    this.#client = client.setMaxListeners(MOST_LISTENERS);
    this.#prefix = prefix;
    this.#context = context;
    this.leases = new RedisLeases(client, prefix, context.names);
    this.mutex = new Mutex(this.leases);
  }

  namespace<Value>(name: NamespaceName): Namespace<Value> {
    const earlierName = EARLIER_NAMES[name];
    const earlier = earlierName === undefined ? undefined : this.#adapter(`${this.#prefix}:${earlierName}`);
    return new SealedNamespace<Value>(
      name,
      this.#adapter(`${this.#prefix}:values:${name}`),
      this.#context,
      earlier,
    );
  }

  /** Writes instead of sending PING: a Redis that is full or read-only answers a PING but takes no writes. */
  async check(): Promise<void> {
    await this.leases.hold('self-test', 1);
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

  #adapter(namespace: string): ConnectedAdapter {
    const options = { namespace, throwOnConnectError: true, throwOnErrors: true };
    const adapter = new ConnectedAdapter(this.#client, options);
    adapter.on('error', () => {});
    return adapter;
  }
}
