import type { Destination } from '../core/destination.ts';
import type { Question } from '../core/lookup.ts';
import { type AnyJob, type JobFormat, onlyVersion } from './queue.ts';

/**
 * A request to be reminded of a result, as it was made; its progress is stored apart from it, in the list of its device.
 * Times are epoch milliseconds.
 */
export type Reminder = AnyJob & {
  readonly at: number;
  readonly question: Question;
  /** When the result was read that the message shows. */
  readonly readAt: number;
  /** Where the message stands, and who is reminded. */
  readonly destination: Pick<Destination, 'channel' | 'user' | 'threadTs' | 'messageTs'>;
  /** Under which key the open reminders about the same device are kept. */
  readonly list: string;
  /** The name of the host; absent or '' if it is not known. */
  readonly host?: string;
};

export const REMINDER_FORMAT: JobFormat<Reminder> = {
  kind: 'reminder',
  version: 1,
  read: onlyVersion(1),
};
