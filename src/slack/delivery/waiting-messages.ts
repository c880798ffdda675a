import { setTimeout as delay } from 'node:timers/promises';
import type { Destination } from '../../core/destination.ts';
import { type Asked, questionKey } from '../../core/lookup.ts';
import { searchText } from '../../core/search-text.ts';
import type { Namespace } from '../../core/store.ts';
import { filterValue } from '../block-kit/action-values.ts';

/** A message that waits for an answer, and the lookup that it belongs to. */
export type WaitingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** As it is kept: without `ts` while the message is being posted and Slack has not named it yet. */
type KeptWaitingMessage = Omit<WaitingMessage, 'ts'> & { readonly ts?: string };

/** A post takes no longer than this; one that does is not waited for by those who ask again. Milliseconds. */
const POSTED_WITHIN_MS = 10_000;
/** How long somebody who asks again waits for the name of a message that is being posted. Milliseconds. */
const NAMED_WITHIN_MS = 1_000;
const LOOK_AGAIN_MS = 25;

/**
 * The messages that wait, by conversation and by what they wait for, so that asking again points to them. A message
 * is registered before it is posted: whoever can see it is pointed to it.
 */
export class WaitingMessages {
  readonly #kept: Namespace<KeptWaitingMessage>;

  constructor(kept: Namespace<KeptWaitingMessage>) {
    this.#kept = kept;
  }

  /**
   * The message that waits for the same in this channel or thread; one that is being posted is waited for, for at
   * most a second. Throws `StorageFailed`.
   */
  async find(destination: Destination, asked: Asked): Promise<WaitingMessage | undefined> {
    for (let waitedMs = 0; waitedMs < NAMED_WITHIN_MS; waitedMs += LOOK_AGAIN_MS) {
      const kept = await this.#kept.get(keyOf(destination, asked));
      if (kept === undefined) return undefined;
      const { ts } = kept;
      if (ts !== undefined) return { ...kept, ts };
      await delay(LOOK_AGAIN_MS);
    }
    return undefined;
  }

  /** Says that a message that waits is about to be posted there, or, where it has a name, that it waits there. */
  async begin(destination: Destination, asked: Asked, lookupId: string, ttlMs: number): Promise<void> {
    if (ttlMs <= 0) return;
    const { channel, messageTs } = destination;
    const named = messageTs === undefined ? {} : { ts: messageTs };
    const keptMs = messageTs === undefined ? Math.min(ttlMs, POSTED_WITHIN_MS) : ttlMs;
    await this.#kept.set(keyOf(destination, asked), { channel, lookupId, ...named }, keptMs);
  }

  /** Nobody is pointed to that lookup's message any more. */
  async end(destination: Destination, asked: Asked, lookupId: string): Promise<void> {
    const kept = await this.#kept.get(keyOf(destination, asked));
    if (kept?.lookupId === lookupId) await this.#kept.delete(keyOf(destination, asked));
  }
}

function keyOf(
  { channel, threadTs = '' }: Destination,
  { question, before, againstLast, filter = {}, search = [] }: Asked,
): string {
  const compared = before === undefined ? (againstLast === true ? 'last' : '') : questionKey(before);
  return [channel, threadTs, questionKey(question), compared, filterValue(filter), searchText(search)].join(
    ':',
  );
}
