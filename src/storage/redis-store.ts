import KeyvRedis from '@keyv/redis';
import { orStorageFailed } from '../core/failure.ts';
import type { Kept, Store } from '../core/store.ts';
import { RedisClaims } from './redis-claims.ts';
import type { RedisConnection } from './redis-connection.ts';
import { type OnLost, SealedKept } from './sealed-kept.ts';
import type { Sealer } from './sealing.ts';

const PREFIX = 'snapshot-bot';

/** The connection comes back by itself; Keyv's own way would bring it back even after a close. */
class ConnectedAdapter extends KeyvRedis<string> {
  override async getClient() {
    if (!this.client.isOpen) throw new Error('the connection to Redis was closed');
    return super.getClient();
  }
}

/** The store on Redis. */
export class RedisStore implements Store {
  readonly claims: RedisClaims;
  readonly #client: RedisConnection;
  readonly #sealer: Sealer;
  readonly #onLost: OnLost;

  constructor(client: RedisConnection, options: { sealer: Sealer; onLost: OnLost }) {
    this.#client = client;
    this.#sealer = options.sealer;
    this.#onLost = options.onLost;
    this.claims = new RedisClaims(client, `${PREFIX}:claims:`);
  }

  kept<Value>(namespace: string): Kept<Value> {
    const adapter = new ConnectedAdapter(this.#client, {
      namespace: `${PREFIX}:${namespace}`,
      throwOnConnectError: true,
      throwOnErrors: true,
    });
    adapter.on('error', () => {});
    return new SealedKept<Value>(adapter, this.#sealer, this.#onLost);
  }

  async check(): Promise<void> {
    await orStorageFailed(() => this.#client.ping());
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }
}
