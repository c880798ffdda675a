import type { ResponseUrl } from '../core/destination.ts';
import type { Namespace } from '../core/store.ts';

/** The wish that a lookup ends; `response` replaces the private message whose "Cancel" was pressed. */
export type Cancellation = { readonly response?: ResponseUrl };

/** The lookups that nobody wants any more, by their ids. */
export class Cancellations {
  readonly #kept: Namespace<Cancellation | true>;

  constructor(kept: Namespace<Cancellation | true>) {
    this.#kept = kept;
  }

  /** `ttlMs`: as long as the lookup may wait. Throws `StorageFailed`. */
  async add(lookupId: string, { response }: Cancellation, ttlMs: number): Promise<void> {
    // `true` is all that replicas of version 0.1 know, and enough where there is no private message.
    await this.#kept.set(lookupId, response === undefined ? true : { response }, ttlMs);
  }

  /** Undefined while the lookup is wanted. Throws `StorageFailed`. */
  async find(lookupId: string): Promise<Cancellation | undefined> {
    const kept = await this.#kept.get(lookupId);
    return kept === true ? {} : kept;
  }
}
