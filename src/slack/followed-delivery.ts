import type { Lookup } from '../core/lookup.ts';
import type { Delivered, Delivery, News } from '../lookups/news.ts';
import type { Place } from './place.ts';

/** News that were delivered: of which lookup, as it was before, and where they are shown now. */
export type Told = { readonly lookup: Lookup<Place>; readonly news: News; readonly shown: Delivered<Place> };

/** Does something after news were delivered. What it throws has the whole delivery repeated. */
export interface Follower {
  after(told: Told): Promise<void>;
}

/** A delivery, and what follows on it. */
export class FollowedDelivery implements Delivery<Place> {
  readonly #delivery: Delivery<Place>;
  readonly #followers: readonly Follower[];

  constructor(delivery: Delivery<Place>, followers: readonly Follower[]) {
    this.#delivery = delivery;
    this.#followers = followers;
  }

  async deliver(
    lookup: Lookup<Place>,
    news: News,
    save: (place: Place) => Promise<void>,
  ): Promise<Delivered<Place>> {
    const shown = await this.#delivery.deliver(lookup, news, save);
    for (const follower of this.#followers) await follower.after({ lookup, news, shown });
    return shown;
  }
}
