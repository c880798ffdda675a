import KeyvRedis from '@keyv/redis';
import { Mutex } from '../../core/mutex.ts';
import type { NamespaceName } from '../../core/namespaces.ts';
import type { Namespace, Store } from '../../core/store.ts';
import { orStorageFailed } from '../../core/store.ts';
import { type SealedContext, SealedValues } from '../backend/sealed-values.ts';
import { type Durably, durablyOn } from './durable-write.ts';
import { PREFIX, type ValuesConnection } from './redis-connection.ts';
import { RedisLeases } from './redis-leases.ts';

const SCANNED_AT_ONCE = 500;

/** What people were told is stored here: a failover must not lose it. */
const CONFIRMED: ReadonlySet<NamespaceName> = new Set(['cancelled', 'owners', 'reminders', 'subscriptions']);

/** The connection reconnects by itself; Keyv's adapter would reconnect it even after it was closed. */
class ConnectedAdapter extends KeyvRedis<string> {
  constructor(connection: ValuesConnection) {
    super(connection, { throwOnConnectError: true, throwOnErrors: true });
    this.on('error', () => {});
  }

  override async getClient() {
    if (!this.client.isOpen) throw new Error('the connection to Redis was closed');
    return super.getClient();
  }
}

class DurableAdapter extends ConnectedAdapter {
  readonly #durably: Durably;

  constructor(connection: ValuesConnection, durably: Durably) {
    super(connection);
    this.#durably = durably;
  }

  override async set(...args: Parameters<KeyvRedis<string>['set']>) {
    await this.#durably(() => super.set(...args));
  }
}

/** The store on Redis, for any number of replicas. */
export class RedisStore implements Store {
  readonly leases: RedisLeases;
  readonly mutex: Mutex;
  readonly #client: ValuesConnection;
  readonly #context: SealedContext;
  readonly #durably: Durably;

  constructor(client: ValuesConnection, context: SealedContext) {
    this.#client = client;
    this.#context = context;
    this.#durably = durablyOn({
      epoch: () => client.socketEpoch,
      send: (...words) => client.sendCommand(words),
    });
    this.leases = new RedisLeases(client, context.names);
    this.mutex = new Mutex(this.leases);
  }

  namespace<Value>(name: NamespaceName): Namespace<Value> {
    const isConfirmed = CONFIRMED.has(name);
    const store = isConfirmed
      ? new DurableAdapter(this.#client, this.#durably)
      : new ConnectedAdapter(this.#client);
    return new SealedValues<Value>(name, { store, namespace: `${PREFIX}:values:${name}` }, this.#context);
  }

  /** Writes as for a promise: a Redis that is full or read-only answers a PING but takes no writes. */
  async check(): Promise<void> {
    await orStorageFailed(() => this.#durably(() => this.leases.hold('self-test', 1)));
  }

  async clear(): Promise<void> {
    await orStorageFailed(async () => {
      const options = { MATCH: `${PREFIX}:*`, COUNT: SCANNED_AT_ONCE };
      for await (const keys of this.#client.scanIterator(options)) {
        if (keys.length > 0) await this.#client.unlink(keys);
      }
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }
}
