import type { Leases } from '../../core/lease.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import { EARLIER_LEASES } from '../backend/earlier-release.ts';
import type { StoredNames } from '../sealing/stored-names.ts';
import type { RedisConnection } from './redis-client.ts';

/** Leases as Redis keys that expire by themselves. Leases of replicas of version 0.1 count too. */
export class RedisLeases implements Leases {
  readonly #client: RedisConnection;
  readonly #prefix: string;
  readonly #names: () => Promise<StoredNames>;

  constructor(client: RedisConnection, prefix: string, names: () => Promise<StoredNames>) {
    this.#client = client;
    this.#prefix = prefix;
    this.#names = names;
  }

  acquire(name: string, ms: number): Promise<boolean> {
    return orStorageFailed(async () => {
      const key = await this.#keyOf(name);
      const [answer, isHeldByEarlier] = await Promise.all([
        this.#client.set(key, '1', { condition: 'NX', expiration: { type: 'PX', value: Math.ceil(ms) } }),
        this.#client.exists(this.#earlierKey(name)),
      ]);
      if (answer === 'OK' && isHeldByEarlier) await this.#client.del(key);
      return answer === 'OK' && !isHeldByEarlier;
    });
  }

  async hold(name: string, ms: number): Promise<void> {
    await orStorageFailed(async () => {
      const expiration = { type: 'PX', value: Math.ceil(ms) } as const;
      await this.#client.set(await this.#keyOf(name), '1', { expiration });
    });
  }

  async release(name: string): Promise<void> {
    await orStorageFailed(async () => this.#client.del(await this.#keyOf(name)));
  }

  ttl(name: string): Promise<number> {
    return orStorageFailed(async () => {
      const keys = [await this.#keyOf(name), this.#earlierKey(name)];
      const times = await Promise.all(keys.map((key) => this.#client.pTTL(key)));
      return Math.max(0, ...times);
    });
  }

  async #keyOf(name: string): Promise<string> {
    return `${this.#prefix}:leases:${(await this.#names()).of('leases', name)}`;
  }

  #earlierKey(name: string): string {
    return `${this.#prefix}:${EARLIER_LEASES}:${name}`;
  }
}
