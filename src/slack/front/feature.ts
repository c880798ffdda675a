import type { Lookup } from '../../core/lookup.ts';
import type { Delivered, Delivery, LookupStatus } from '../../lookups/lookup-status.ts';
import type { ListenerContext } from './context.ts';
import type { Interaction } from './interaction.ts';
import type { Listeners } from './listeners.ts';

/**
 * A feature is a folder of `src/slack/features`, and a line in its `index.ts`: without both, the bot is whole but for
 * that. It imports no other feature; what it needs of one is passed to it there.
 */
export type Feature = {
  /** Registers its listeners, each with what it may do. */
  readonly listen: (on: Listeners, context: ListenerContext) => void;
  /** What follows on an answer. If it throws, the whole delivery is retried, but for a bug, which is only reported. */
  readonly hook?: (event: DeliveryEvent) => Promise<void>;
  /** Shows the status of lookups whose destination is a pasted link; no hook follows on it. */
  readonly preview?: Delivery['deliver'];
  /** Resumes what was open when the bot stopped. */
  readonly start?: () => Promise<void>;
  readonly menu?: readonly MenuEntry[];
};

/** What a feature does when its entry in the menu of a result is chosen. */
export type MenuEntry = {
  /** What the entry sends. */
  readonly value: string;
  readonly choose: (press: Interaction) => Promise<unknown>;
};

/** A status that was delivered: the lookup as it was before, and where the status is shown now. */
export type DeliveryEvent = {
  readonly lookup: Lookup;
  readonly status: LookupStatus;
  readonly shown: Delivered;
  /** Whether the step was begun before: its hooks may have run then. */
  readonly isRepeated: boolean;
};
