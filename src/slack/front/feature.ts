import type { ListenerContext } from './context.ts';
import type { Listeners } from './listeners.ts';

/**
 * A feature is a folder of `src/slack/features`, and a line in its `index.ts`: without both, the bot is whole but for
 * that. It imports no other feature; what it needs of one is passed to it there.
 */
export type Feature = {
  /** Registers its listeners, each with what it may do. */
  readonly listen: (on: Listeners, context: ListenerContext) => void;
};
