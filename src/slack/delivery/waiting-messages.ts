import type { Destination } from '../../core/lookup.ts';
import { type Asked, questionKey } from '../../core/lookup.ts';
import { searchText } from '../../core/searching.ts';
import type { Namespace } from '../../core/store.ts';
import { filterValue } from '../block-kit/action-values.ts';

/** A message that waits for an answer, and the lookup that it belongs to. */
export type WaitingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** As it is stored: `ts` is absent while the message is being posted. */
type StoredWaitingMessage = Omit<WaitingMessage, 'ts'> & { readonly ts?: string };

/** How long a message that is being posted stays registered without a timestamp. Milliseconds. */
const POSTED_WITHIN_MS = 10_000;
/** How long `find` waits for the timestamp of a message that is being posted. Milliseconds. */
const NAMED_WITHIN_MS = 1_000;
const LOOK_AGAIN_MS = 25;

/**
 * The messages that show a wait, by conversation and request, so that a repeated request points to them. A message is
 * registered before it is posted, so that whoever sees it is pointed to it.
 */
export class WaitingMessages {
  readonly #namespace: Namespace<StoredWaitingMessage>;

  constructor(namespace: Namespace<StoredWaitingMessage>) {
    this.#namespace = namespace;
  }

  /**
   * The message that waits for the same request in this channel or thread; waits for at most a second for one that is
   * being posted. Throws `StorageFailed`.
   */
  async find(destination: Destination, asked: Asked): Promise<WaitingMessage | undefined> {
    for (let waitedMs = 0; waitedMs < NAMED_WITHIN_MS; waitedMs += LOOK_AGAIN_MS) {
      const stored = await this.#namespace.get(keyOf(destination, asked));
      if (stored === undefined) return undefined;
      const { ts } = stored;
      if (ts !== undefined) return { ...stored, ts };
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
    return undefined;
  }

  /** Registers a message that is about to be posted, or, if it has a timestamp, that is there. */
  async begin(destination: Destination, asked: Asked, lookupId: string, ttlMs: number): Promise<void> {
    if (ttlMs <= 0) return;
    const { channel, messageTs } = destination;
    const named = messageTs === undefined ? {} : { ts: messageTs };
    const endsMs = messageTs === undefined ? Math.min(ttlMs, POSTED_WITHIN_MS) : ttlMs;
    await this.#namespace.set(keyOf(destination, asked), { channel, lookupId, ...named }, endsMs);
  }

  /** Removes the lookup's message. */
  async end(destination: Destination, asked: Asked, lookupId: string): Promise<void> {
    const stored = await this.#namespace.get(keyOf(destination, asked));
    if (stored?.lookupId === lookupId) await this.#namespace.delete(keyOf(destination, asked));
  }
}

function keyOf(
  { channel, threadTs = '' }: Destination,
  { question, others = [], before, againstLast, filter = {}, search = [], side }: Asked,
): string {
  const compared = before === undefined ? (againstLast === true ? 'last' : '') : questionKey(before);
  const parts = [channel, threadTs, questionKey(question), compared, filterValue(filter)];
  return [...parts, searchText(search), side ?? '', ...others.map(({ snapshotId }) => snapshotId)].join(':');
}
