import { type Question, questionKey } from '../core/lookup.ts';
import type { Kept } from '../core/store.ts';
import type { Place } from './place.ts';

/** A message that waits for an answer, and the lookup that it belongs to. */
export type StandingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** The messages that wait, by where they stand and what they wait for: asking again points to them. */
export class Standing {
  readonly #kept: Kept<StandingMessage>;

  constructor(kept: Kept<StandingMessage>) {
    this.#kept = kept;
  }

  /** The message that waits for this question in this channel or thread. Throws `StorageFailed`. */
  find(place: Place, question: Question): Promise<StandingMessage | undefined> {
    return this.#kept.get(keyOf(place, question));
  }

  /** `ttlMs`: no longer than the lookup may wait. */
  async begin(place: Place, question: Question, lookupId: string, ttlMs: number): Promise<void> {
    if (place.messageTs === undefined || ttlMs <= 0) return;
    const message = { channel: place.channel, ts: place.messageTs, lookupId };
    await this.#kept.set(keyOf(place, question), message, ttlMs);
  }

  async end(place: Place, question: Question, lookupId: string): Promise<void> {
    const standing = await this.#kept.get(keyOf(place, question));
    if (standing?.lookupId === lookupId) await this.#kept.delete(keyOf(place, question));
  }
}

function keyOf({ channel, threadTs = '' }: Place, question: Question): string {
  return `${channel}:${threadTs}:${questionKey(question)}`;
}
