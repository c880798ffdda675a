import { type Asked, questionKey } from '../core/lookup.ts';
import type { Kept } from '../core/store.ts';
import { filterValue } from './button-values.ts';
import type { Place } from './place.ts';

/** A message that waits for an answer, and the lookup that it belongs to. */
export type StandingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** The messages that wait, by where they stand and what they wait for: asking again points to them. */
export class Standing {
  readonly #kept: Kept<StandingMessage>;

  constructor(kept: Kept<StandingMessage>) {
    this.#kept = kept;
  }

  /** The message that waits for the same in this channel or thread. Throws `StorageFailed`. */
  find(place: Place, asked: Asked): Promise<StandingMessage | undefined> {
    return this.#kept.get(keyOf(place, asked));
  }

  /** `ttlMs`: no longer than the lookup may wait. */
  async begin(place: Place, asked: Asked, lookupId: string, ttlMs: number): Promise<void> {
    if (place.messageTs === undefined || ttlMs <= 0) return;
    const message = { channel: place.channel, ts: place.messageTs, lookupId };
    await this.#kept.set(keyOf(place, asked), message, ttlMs);
  }

  async end(place: Place, asked: Asked, lookupId: string): Promise<void> {
    const standing = await this.#kept.get(keyOf(place, asked));
    if (standing?.lookupId === lookupId) await this.#kept.delete(keyOf(place, asked));
  }
}

function keyOf({ channel, threadTs = '' }: Place, { question, before, filter = {} }: Asked): string {
  const compared = before === undefined ? '' : questionKey(before);
  return [channel, threadTs, questionKey(question), compared, filterValue(filter)].join(':');
}
