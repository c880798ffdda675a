import type { Question } from '../core/lookup.ts';
import type { AnyJob } from './queue.ts';

/**
 * The daily reading of a snapshot that somebody watches. Who watches it, and what they know of it, is stored apart from
 * it, by snapshot. Times are epoch milliseconds.
 */
export type WatchJob = AnyJob & {
  readonly question: Question;
  /** When it is read next. */
  readonly at: number;
  /** Whether that is the second try of a day. */
  readonly again?: true;
};
