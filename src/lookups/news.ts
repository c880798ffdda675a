import type { DiagnosticsResult } from '../core/diagnostics.ts';
import type { Fault } from '../core/faults.ts';
import type { Lookup, Question } from '../core/lookup.ts';

/** Not final: since when it is awaited, the service's reason or '', and what goes wrong at the moment. Epoch ms. */
export type Waiting = {
  readonly kind: 'waiting';
  readonly since: number;
  readonly reason: string;
  /** Whether the service has said so, or is taken to; false while it has not been understood at all. */
  readonly isProcessing: boolean;
  readonly trouble?: Fault;
};

/** A result, and when it was read. Epoch milliseconds. */
export type Read = { readonly result: DiagnosticsResult; readonly readAt: number };

/** What can be told of a lookup. All but `waiting` are final. Times are epoch milliseconds. */
export type News =
  | Waiting
  | (Read & { readonly kind: 'ready'; readonly before?: Read })
  | { readonly kind: 'timed-out'; readonly reason: string; readonly trouble?: Fault }
  | { readonly kind: 'cancelled' }
  /** `question` is the one of a comparison's two that could not be answered. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly question: Question }
  | { readonly kind: 'broken'; readonly reference: string };

/** Where news are shown now, and whether they are: progress may be left out when Slack is in trouble. */
export type Delivered<Place> = { readonly place: Place; readonly isShown: boolean };

/** Shows news in the place of a lookup. */
export interface Delivery<Place> {
  /**
   * A first post makes a message to edit later. `save` writes a place down before a post whose confirmation may get
   * lost. Throws when final news could not be shown and it is worth another try.
   */
  deliver(
    lookup: Lookup<Place>,
    news: News,
    save: (place: Place) => Promise<void>,
  ): Promise<Delivered<Place>>;
}
