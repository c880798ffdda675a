import type { Mutex } from '../../core/mutex.ts';
import type { Namespace } from '../../core/store.ts';
import type { Owner } from '../messages/parts/owners-line.ts';

/** A message that everybody in the conversation sees. */
type OwnedMessage = { readonly channel: string; readonly ts: string };

/** Who pressed “I'm on it”, stored by message, so that it survives edits, refreshes and restarts. */
export class Owners {
  readonly #kept: Namespace<readonly Owner[]>;
  readonly #mutex: Mutex;
  readonly #keptMs: number;

  /** `keptMs`: for how long. Milliseconds. */
  constructor(kept: Namespace<readonly Owner[]>, mutex: Mutex, keptMs: number) {
    this.#kept = kept;
    this.#mutex = mutex;
    this.#keptMs = keptMs;
  }

  /** The owners of a message, the first one first. Throws `StorageFailed`. */
  async of(message: OwnedMessage): Promise<readonly Owner[]> {
    return (await this.#kept.get(keyOf(message))) ?? [];
  }

  /** Adds an owner at `since` (epoch ms), or removes them if they are one. Throws `StorageFailed`. */
  async toggle(message: OwnedMessage, user: string, since: number): Promise<boolean> {
    const key = keyOf(message);
    return await this.#mutex.run(`owners:${key}`, async () => {
      const owners = await this.of(message);
      const others = owners.filter((owner) => owner.user !== user);
      const next = others.length < owners.length ? others : [...owners, { user, since }];
      await (next.length === 0 ? this.#kept.delete(key) : this.#kept.set(key, next, this.#keptMs));
      return next.length > others.length;
    });
  }
}

function keyOf({ channel, ts }: OwnedMessage): string {
  return `${channel}:${ts}`;
}
