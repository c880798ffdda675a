import { randomUUID } from 'node:crypto';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed } from '../../core/store.ts';
import type { StoredNames } from '../sealing/stored-names.ts';
import { PREFIX, type ValuesConnection } from './redis-connection.ts';

/** A replica that stood still may have lost its lease to another one: both run only for the holder of the key. */
const RENEW =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0";
const RELEASE =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/** Leases as Redis keys that expire by themselves, each with its holder as its value. */
export class RedisLeases implements Leases {
  readonly #client: ValuesConnection;
  readonly #names: () => Promise<StoredNames>;
  /** This process among those that share the leases. */
  readonly #holder = randomUUID();

  constructor(client: ValuesConnection, names: () => Promise<StoredNames>) {
    this.#client = client;
    this.#names = names;
  }

  async acquire(name: string, ms: number): Promise<boolean> {
    const expiration = { type: 'PX', value: Math.ceil(ms) } as const;
    const answer = await this.#on(name, (key) =>
      this.#client.set(key, this.#holder, { condition: 'NX', expiration }),
    );
    return answer === 'OK';
  }

  async hold(name: string, ms: number): Promise<void> {
    const expiration = { type: 'PX', value: Math.ceil(ms) } as const;
    await this.#on(name, (key) => this.#client.set(key, this.#holder, { expiration }));
  }

  async release(name: string): Promise<void> {
    await this.#on(name, (key) => this.#client.eval(RELEASE, { keys: [key], arguments: [this.#holder] }));
  }

  async renew(name: string, ms: number): Promise<boolean> {
    const given = [this.#holder, String(Math.ceil(ms))];
    const done = await this.#on(name, (key) => this.#client.eval(RENEW, { keys: [key], arguments: given }));
    return done === 1;
  }

  async ttl(name: string): Promise<number> {
    return Math.max(0, await this.#on(name, (key) => this.#client.pTTL(key)));
  }

  #on<T>(name: string, work: (key: string) => Promise<T>): Promise<T> {
    return orStorageFailed(async () => work(`${PREFIX}:leases:${(await this.#names()).of('leases', name)}`));
  }
}
