import type { Mutex } from '../../core/mutex.ts';
import type { Namespace } from '../../core/store.ts';
import type { Owner } from '../answer/parts/owners-line.ts';

/** A message that everybody in the conversation sees. */
type OwnedMessage = { readonly channel: string; readonly ts: string };

/** Who pressed “I'm on it”, stored by message, so that it survives edits, refreshes and restarts. */
export class Owners {
  readonly #namespace: Namespace<readonly Owner[]>;
  readonly #mutex: Mutex;
  readonly #ttlMs: number;

  /** `ttlMs`: for how long. Milliseconds. */
  constructor(namespace: Namespace<readonly Owner[]>, mutex: Mutex, ttlMs: number) {
    this.#namespace = namespace;
    this.#mutex = mutex;
    this.#ttlMs = ttlMs;
  }

  /** The owners of a message, the first one first. Throws `StorageFailed`. */
  async of(message: OwnedMessage): Promise<readonly Owner[]> {
    return (await this.#namespace.get(keyOf(message))) ?? [];
  }

  /** Adds an owner at `since` (epoch ms), or removes them if they are one. Throws `StorageFailed`. */
  async toggle(message: OwnedMessage, user: string, since: number): Promise<boolean> {
    const key = keyOf(message);
    return await this.#mutex.run(`owners:${key}`, async () => {
      const owners = await this.of(message);
      const others = owners.filter((owner) => owner.user !== user);
      const next = others.length < owners.length ? others : [...owners, { user, since }];
      await (next.length === 0 ? this.#namespace.delete(key) : this.#namespace.set(key, next, this.#ttlMs));
      return next.length > others.length;
    });
  }
}

function keyOf({ channel, ts }: OwnedMessage): string {
  return `${channel}:${ts}`;
}
