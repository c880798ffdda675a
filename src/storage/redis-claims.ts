import { orStorageFailed } from '../core/failure.ts';
import type { Claims } from '../core/store.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Claims as keys of Redis that expire by themselves. */
export class RedisClaims implements Claims {
  readonly #client: RedisConnection;
  readonly #prefix: string;

  constructor(client: RedisConnection, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async take(name: string, ms: number): Promise<boolean> {
    const answer = await orStorageFailed(() =>
      this.#client.set(this.#prefix + name, '1', {
        condition: 'NX',
        expiration: { type: 'PX', value: Math.ceil(ms) },
      }),
    );
    return answer === 'OK';
  }

  async hold(name: string, ms: number): Promise<void> {
    await orStorageFailed(() =>
      this.#client.set(this.#prefix + name, '1', { expiration: { type: 'PX', value: Math.ceil(ms) } }),
    );
  }

  async release(name: string): Promise<void> {
    await orStorageFailed(() => this.#client.del(this.#prefix + name));
  }

  async remaining(name: string): Promise<number> {
    return Math.max(0, await orStorageFailed(() => this.#client.pTTL(this.#prefix + name)));
  }
}
