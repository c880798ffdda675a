import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import KeyvRedis from '@keyv/redis';
import type { Leases } from '../../core/lease.ts';
import { Mutex } from '../../core/mutex.ts';
import type { NamespaceName } from '../../core/namespaces.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { type SealedContext, SealedValues } from '../backend/sealed-values.ts';
import { type Durably, durablyOn, PREFIX, type ValuesConnection } from './redis-connection.ts';

const SCANNED_AT_ONCE = 500;

/** What people were told is stored here: a failover must not lose it. */
const CONFIRMED: ReadonlySet<NamespaceName> = new Set([
  'cancelled',
  'owners',
  'reminders',
  'subscriptions',
  'watches',
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
export function redisStore(client: ValuesConnection, context: SealedContext): Store {
  const durably = durablyOn(
    () => client.socketEpoch,
    (...words) => client.sendCommand(words),
  );
  const leases = leasesIn(client, context.names);
  return {
    leases,
    mutex: new Mutex(leases),
    namespace: (name) => {
      const store = new ConnectedAdapter(client, CONFIRMED.has(name) ? durably : undefined);
      return new SealedValues(name, { store, namespace: `${PREFIX}:values:${name}` }, context);
    },
    /** Writes as for a promise: a Redis that is full or read-only answers a PING but takes no writes. */
    check: () => orStorageFailed(() => durably(() => leases.hold('self-test', 1))),
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

/** An answer that takes longer comes from a Redis that stood still; one that is back for less time was away. Milliseconds. */
const STANDSTILL_MS = 500;
/**
 * A replica that stood still may have lost its lease to another one: this and the next run only for the holder of the key.
 * Where there is none, who held it comes before those who ask once Redis goes on: it has sent this during the standstill.
 */
const RENEW = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')
  return 0`;
const RELEASE =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/** Leases as Redis keys that expire by themselves, each with its holder as its value. */
function leasesIn(client: ValuesConnection, names: SealedContext['names']): Leases {
  /** This process among those that share the leases. */
  const holder = randomUUID();
  let backAt = Number.NEGATIVE_INFINITY;
  client.on('ready', () => {
    backAt = performance.now();
  });
  const on = <T>(name: string, work: (key: string) => Promise<T>) =>
    orStorageFailed(async () => work(`${PREFIX}:leases:${(await names())('leases', name)}`));
  const lasting = (ms: number) => ({ type: 'PX', value: Math.ceil(ms) }) as const;
  const take = async (name: string, ms: number) => {
    const options = { condition: 'NX', expiration: lasting(ms) } as const;
    return (await on(name, (key) => client.set(key, holder, options))) === 'OK';
  };
  const release = async (name: string) =>
    void (await on(name, (key) => client.eval(RELEASE, { keys: [key], arguments: [holder] })));
  return {
    acquire: async (name, ms) => {
      const asked = performance.now();
      const isTaken = await take(name, ms);
      if (!isTaken || (performance.now() - asked < STANDSTILL_MS && asked - backAt >= STANDSTILL_MS))
        return isTaken;
      // Redis stood still or was away, and leases ran out meanwhile: what their holders send comes first.
      await release(name);
      await delay(STANDSTILL_MS);
      return take(name, ms);
    },
    hold: async (name, ms) =>
      void (await on(name, (key) => client.set(key, holder, { expiration: lasting(ms) }))),
    renew: async (name, ms) => {
      const given = [holder, String(Math.ceil(ms))];
      return (await on(name, (key) => client.eval(RENEW, { keys: [key], arguments: given }))) === 1;
    },
    release,
    ttl: async (name) => Math.max(0, await on(name, (key) => client.pTTL(key))),
  };
}
