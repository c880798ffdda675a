import { type Asked, type Destination, type Lookup, questionKey } from '../../core/lookup.ts';
import { searchText } from '../../core/searching.ts';
import type { Namespace } from '../../core/store.ts';

/** A message that waits for an answer, and the lookup that it belongs to. */
export type WaitingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** How long `find` waits for the timestamp of a message that is being posted. Milliseconds. */
const NAMED_WITHIN_MS = 1_000;
const LOOK_AGAIN_MS = 25;

/** Gives an open lookup; undefined after its end. */
type Open = (lookupId: string) => Promise<Lookup | undefined>;

/**
 * The lookups that wait, by conversation and request, so that a repeated request points to their messages. A lookup is
 * registered before its message is posted, so that a repeated command finds it at once.
 */
export class WaitingMessages {
  readonly #lookups: Namespace<string>;

  constructor(lookups: Namespace<string>) {
    this.#lookups = lookups;
  }

  /**
   * The message that waits for the same request in this channel or thread; waits for at most a second for one that is
   * being posted. Throws `storage-failed`.
   */
  async find(destination: Destination, asked: Asked, open: Open): Promise<WaitingMessage | undefined> {
    const lookupId = await this.#lookups.get(keyOf(destination, asked));
    if (lookupId === undefined) return undefined;
    for (let waitedMs = 0; waitedMs < NAMED_WITHIN_MS; waitedMs += LOOK_AGAIN_MS) {
      const { channel, messageTs: ts, response } = (await open(lookupId))?.destination ?? {};
      if (channel !== undefined && ts !== undefined) return { channel, ts, lookupId };
      // It has ended, or its message is for one person's eyes.
      if (channel === undefined || response?.isInUse === true) return undefined;
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
    return undefined;
  }

  /** Registers a lookup whose message is about to be posted; `ttlMs` is how long it can wait. */
  async begin(destination: Destination, asked: Asked, lookupId: string, ttlMs: number): Promise<void> {
    if (ttlMs > 0) await this.#lookups.set(keyOf(destination, asked), lookupId, ttlMs);
  }
}

function keyOf(
  { channel, threadTs = '' }: Destination,
  { question, others = [], before, againstLast, filter = {}, search = [], side }: Asked,
): string {
  const compared = before === undefined ? (againstLast === true ? 'last' : '') : questionKey(before);
  const parts = [channel, threadTs, questionKey(question), compared, JSON.stringify(filter)];
  return [...parts, searchText(search), side ?? '', ...others.map(({ snapshotId }) => snapshotId)].join(':');
}
