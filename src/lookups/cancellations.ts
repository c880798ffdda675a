import type { ResponseUrl } from '../core/destination.ts';
import type { Namespace } from '../core/store.ts';

/** A request to cancel a lookup; `response` replaces the private message whose “Cancel” was pressed. */
export type Cancellation = { readonly response?: ResponseUrl };

/** The cancelled lookups, by their ids. */
export class Cancellations {
  readonly #namespace: Namespace<Cancellation>;

  constructor(namespace: Namespace<Cancellation>) {
    this.#namespace = namespace;
  }

  /** `ttlMs`: as long as the lookup may wait. Throws `StorageFailed`. */
  async add(lookupId: string, { response }: Cancellation, ttlMs: number): Promise<void> {
    await this.#namespace.set(lookupId, { ...(response && { response }) }, ttlMs);
  }

  /** Undefined unless the lookup was cancelled. Throws `StorageFailed`. */
  find(lookupId: string): Promise<Cancellation | undefined> {
    return this.#namespace.get(lookupId);
  }
}
