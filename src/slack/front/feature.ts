import type { Logger } from 'pino';
import type { Audit } from '../../core/audit.ts';
import type { Retention } from '../../core/namespaces.ts';
import type { Store } from '../../core/store.ts';
import type { BackgroundReads } from '../../lookups/background-reads.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import type { Delivery } from '../../lookups/lookup-status.ts';
import type { JobQueue, Reminder } from '../../lookups/queue.ts';
import type { WatchJob } from '../../lookups/watch.ts';
import type { ResultModel } from '../answer/result-model.ts';
import type { DeliveryHook } from '../delivery/hooked-delivery.ts';
import type { Owners } from '../delivery/owners.ts';
import type { Poster } from '../delivery/poster.ts';
import type { Access, May } from './access.ts';
import type { ListenerContext } from './context.ts';
import type { Listeners } from './listeners.ts';
import type { ResultUse } from './result-use.ts';

/**
 * A feature is a folder of `src/slack/features`, and a line in its `index.ts`: without both, the bot is whole but for
 * that. It imports no other feature; what it needs of one is passed to it there.
 */
export type Feature = {
  /** Registers its listeners, each with what it may do. */
  readonly listen: (on: Listeners, context: ListenerContext) => void;
  /** What it adds to an answer, or what follows on one. */
  readonly hook?: DeliveryHook;
  /** Shows the status of lookups whose destination is a pasted link; no hook adds to it or follows on it. */
  readonly preview?: Delivery['deliver'];
  /** Resumes what was open when the bot stopped. */
  readonly start?: () => Promise<void>;
  readonly menu?: readonly MenuEntry[];
};

/** What features are made of. It exists before anything can be looked up. */
export type FeatureParts = {
  readonly store: Store;
  readonly retention: Retention;
  readonly history: DeviceHistory;
  readonly access: Pick<Access, 'mayStillSee'>;
  readonly poster: Poster;
  readonly owners: Owners;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: () => number;
  readonly reminderQueue: JobQueue<Reminder>;
  readonly watchQueue: JobQueue<WatchJob>;
  readonly backgroundReads: Pick<BackgroundReads, 'look'>;
  /** The length of a day for reminders and watches. Milliseconds. */
  readonly dayMs: number;
  /** After a wait of this length its end gets a message of its own. Milliseconds. */
  readonly notifyAfterMs: number;
  readonly countReminder: (outcome: string) => void;
  /** What is shown under pasted links. */
  readonly unfurl: 'yes' | 'no' | 'work-object';
  readonly countWatch: (outcome: string) => void;
};

/** What a feature does when it is chosen in the menu of a result, or in the window behind it. */
export type MenuEntry = {
  /** Names the entry in menus. */
  readonly value: string;
  /** What stands in that window; undefined where there is nothing to choose, left out for an entry of the menu. */
  readonly label?: (model: ResultModel) => string | undefined;
  /** What it does when it is chosen there. */
  readonly may: May;
  readonly choose: (use: ResultUse, context: ListenerContext) => Promise<unknown>;
};
