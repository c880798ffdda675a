import type { ResponseUrl } from '../core/destination.ts';
import type { Namespace } from '../core/store.ts';

/** A request to cancel a lookup; `response` replaces the private message whose “Cancel” was pressed. */
export type Cancellation = { readonly response?: ResponseUrl };

/** The cancelled lookups, by their ids. */
export class Cancellations {
  readonly #namespace: Namespace<Cancellation | true>;

  constructor(namespace: Namespace<Cancellation | true>) {
    this.#namespace = namespace;
  }

  /** `ttlMs`: as long as the lookup may wait. Throws `StorageFailed`. */
  async add(lookupId: string, { response }: Cancellation, ttlMs: number): Promise<void> {
    // Replicas of version 0.1 understand only `true`; it is enough if there is no private message.
    await this.#namespace.set(lookupId, response === undefined ? true : { response }, ttlMs);
  }

  /** Undefined unless the lookup was cancelled. Throws `StorageFailed`. */
  async find(lookupId: string): Promise<Cancellation | undefined> {
    const stored = await this.#namespace.get(lookupId);
    return stored === true ? {} : stored;
  }
}
