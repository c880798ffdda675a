import { isDeepStrictEqual } from 'node:util';
import type { Mutex } from '../../core/mutex.ts';
import type { Namespace } from '../../core/store.ts';
import { type Owner, withOwners } from '../answer/owners-line.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { Origin } from '../block-kit/modal.ts';
import { MOST_USES } from './response-url.ts';

/** A message that everybody in the conversation sees. */
type OwnedMessage = { readonly channel: string; readonly ts: string };

/** Who pressed “I'm on it”, stored by message, so that it survives edits, refreshes and restarts. */
export type Owners = ReturnType<typeof ownersOf>;

/** `ttlMs`: for how long they are stored. Its functions throw `StorageFailed`. */
export function ownersOf(namespace: Namespace<readonly Owner[]>, mutex: Mutex, ttlMs: number) {
  const keyOf = ({ channel, ts }: OwnedMessage) => `${channel}:${ts}`;
  /** The owners of a message, the first one first. */
  const of = async (message: OwnedMessage) => (await namespace.get(keyOf(message))) ?? [];
  /** Adds an owner at `since` (epoch ms), or removes them if they are one. */
  const toggle = (message: OwnedMessage, user: string, since: number): Promise<boolean> => {
    const key = keyOf(message);
    return mutex.run(`owners:${key}`, async () => {
      const owners = await of(message);
      const others = owners.filter((owner) => owner.user !== user);
      const next = others.length < owners.length ? others : [...owners, { user, since }];
      await (next.length === 0 ? namespace.delete(key) : namespace.set(key, next, ttlMs));
      return next.length > others.length;
    });
  };
  return { of, toggle };
}

/**
 * Replaces a message by one that names its owners, again while they have changed: of what several people do at once,
 * Slack can take the oldest last. `draw` gets how often the message was drawn. Throws `StorageFailed`, and what
 * `replace` throws.
 */
export async function replaceOwned(
  { channel, messageTs: ts }: Origin,
  { owners }: { readonly owners: Owners },
  draw: (times: number) => Message,
  replace: (message: Message) => Promise<unknown>,
): Promise<void> {
  let named: readonly Owner[] | undefined;
  for (let times = 1; times <= MOST_USES; times += 1) {
    const present = ts === undefined ? [] : await owners.of({ channel, ts });
    if (isDeepStrictEqual(present, named)) return;
    await replace(withOwners(draw(times), channel, present));
    named = present;
  }
}
