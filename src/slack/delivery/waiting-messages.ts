import { type Asked, type Destination, type Lookup, questionKey } from '../../core/lookup.ts';
import { searchText } from '../../core/searching.ts';
import type { Namespace } from '../../core/store.ts';

/** A message that waits for a result, and its lookup. */
export type WaitingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** Finds a lookup that is in progress; undefined after its end. */
type Open = (lookupId: string) => Promise<Lookup | undefined>;

/** Lookups in progress, by conversation and request: an asker who repeats a request is shown the message that waits. */
export class WaitingMessages {
  readonly #lookups: Namespace<string>;

  constructor(lookups: Namespace<string>) {
    this.#lookups = lookups;
  }

  /** The message in this conversation that waits for the same request, if it was posted. Throws `storage-failed`. */
  async find(destination: Destination, asked: Asked, open: Open): Promise<WaitingMessage | undefined> {
    const lookupId = await this.#lookups.get(keyOf(destination, asked));
    const waiting = lookupId === undefined ? undefined : await open(lookupId);
    if (waiting?.destination.messageTs === undefined) return undefined;
    const { channel, messageTs: ts } = waiting.destination;
    return { channel, ts, lookupId: waiting.id };
  }

  /** Registers a lookup in progress for `ttlMs` milliseconds, the time until its deadline. */
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
