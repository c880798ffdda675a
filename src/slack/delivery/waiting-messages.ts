import { type Asked, type Destination, type Lookup, questionKey } from '../../core/lookup.ts';
import { searchText } from '../../core/searching.ts';
import type { Namespace } from '../../core/store.ts';

/** A message that waits for an answer, and the lookup that it belongs to. */
export type WaitingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** Gives an open lookup; undefined after its end. */
type Open = (lookupId: string) => Promise<Lookup | undefined>;

/**
 * The lookups that wait, by conversation and request, so that a repeated request points to their messages.
 */
export class WaitingMessages {
  readonly #lookups: Namespace<string>;

  constructor(lookups: Namespace<string>) {
    this.#lookups = lookups;
  }

  /** The message that waits for the same request in this channel or thread, once it is posted. Throws `storage-failed`. */
  async find(destination: Destination, asked: Asked, open: Open): Promise<WaitingMessage | undefined> {
    const lookupId = await this.#lookups.get(keyOf(destination, asked));
    const waiting = lookupId === undefined ? undefined : await open(lookupId);
    if (waiting?.destination.messageTs === undefined) return undefined;
    const { channel, messageTs: ts } = waiting.destination;
    return { channel, ts, lookupId: waiting.id };
  }

  /** Registers a lookup that may wait; `ttlMs` is how long it can wait. */
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
