import type { Destination } from '../../core/destination.ts';
import type { Lookup } from '../../core/lookup.ts';
import {
  CompositionFailed,
  type Delivered,
  type Delivery,
  type LookupStatus,
} from '../../lookups/lookup-status.ts';

/** A status that was delivered: of which lookup, as it was before, and where it is shown now. */
export type DeliveryEvent = {
  readonly lookup: Lookup;
  readonly status: LookupStatus;
  readonly shown: Delivered;
};

/**
 * Does something before or after a status is delivered. What it throws has the whole delivery repeated, except
 * `CompositionFailed` after it.
 */
export interface DeliveryHook {
  /** Adds what else the message has to say. */
  before?(lookup: Lookup, status: LookupStatus): Promise<LookupStatus>;
  after?(told: DeliveryEvent): Promise<void>;
}

/** A delivery, what goes before it and what follows on it. */
export class HookedDelivery implements Delivery {
  readonly #delivery: Delivery;
  readonly #hooks: readonly DeliveryHook[];
  readonly #onBug: (error: unknown) => void;

  constructor(delivery: Delivery, hooks: readonly DeliveryHook[], onBug: (error: unknown) => void) {
    this.#onBug = onBug;
    this.#delivery = delivery;
    this.#hooks = hooks;
  }

  mayStillSee(lookup: Lookup): Promise<boolean> {
    return this.#delivery.mayStillSee(lookup);
  }

  async deliver(
    lookup: Lookup,
    status: LookupStatus,
    save: (destination: Destination) => Promise<void>,
  ): Promise<Delivered> {
    let told = status;
    for (const hook of this.#hooks) told = (await hook.before?.(lookup, told)) ?? told;
    const shown = await this.#delivery.deliver(lookup, told, save);
    for (const hook of this.#hooks) {
      try {
        await hook.after?.({ lookup, status: told, shown });
      } catch (error) {
        // The answer stands already: a bug in what follows on it must not have it sent again, for ever.
        if (!(error instanceof CompositionFailed)) throw error;
        this.#onBug(error);
      }
    }
    return shown;
  }
}
