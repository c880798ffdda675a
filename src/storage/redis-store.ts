import KeyvRedis, { createClient } from '@keyv/redis';
import type { Kept, Store } from '../core/store.ts';
import { orStorageFailed } from './failure.ts';
import { RedisClaims } from './redis-claims.ts';
import { SealedKept } from './sealed-kept.ts';
import type { Sealer } from './sealing.ts';

const PREFIX = 'snapshot-bot';
const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_MS = 2_000;

/** One connection for everything: commands fail at once while Redis is away, so that users get an answer. */
function connection(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (attempts) => Math.min(100 * 2 ** Math.min(attempts, 8), LONGEST_RECONNECT_MS),
    },
  });
  // The failure reaches whoever asks next; an unheard event would end the process.
  client.on('error', () => {});
  return client;
}
export type RedisConnection = ReturnType<typeof connection>;

/** The store on Redis. */
export class RedisStore implements Store {
  readonly claims: RedisClaims;
  readonly #client: RedisConnection;
  readonly #sealer: Sealer;
  readonly #onLost: (key: string) => void;

  private constructor(client: RedisConnection, sealer: Sealer, onLost: (key: string) => void) {
    this.#client = client;
    this.#sealer = sealer;
    this.#onLost = onLost;
    this.claims = new RedisClaims(client, `${PREFIX}:claims:`);
  }

  /** Connects, or goes on trying in the background: a Redis that is away at the start may come. */
  static async open(
    url: string,
    options: { sealer: Sealer; onLost: (key: string) => void },
  ): Promise<RedisStore> {
    const client = connection(url);
    const connected = client.connect();
    connected.catch(() => {});
    await Promise.race([
      connected.catch(() => {}),
      new Promise((done) => setTimeout(done, CONNECT_TIMEOUT_MS)),
    ]);
    return new RedisStore(client, options.sealer, options.onLost);
  }

  kept<Value>(namespace: string): Kept<Value> {
    const adapter = new KeyvRedis<string>(this.#client, {
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
