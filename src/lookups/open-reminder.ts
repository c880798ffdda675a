import type { Unconfirmed } from '../core/destination.ts';
import type { Question } from '../core/lookup.ts';
import type { LastRead } from './lookup-status.ts';
import type { Reminder } from './reminder.ts';

/** How many hits of each kind changed; absent when that is not known any more. */
export type ChangeCounts = { readonly new: number; readonly changed: number; readonly cleared: number };

/** The result of the same device that came first, and what changed until then. */
export type Fulfilment = { readonly question: Question; readonly changes?: ChangeCounts };

/** A reminder that is still to come, with its progress, as it is stored. */
export type OpenReminder = Reminder & {
  readonly fulfilledBy?: Fulfilment;
  /** The post of the reply, while nobody knows whether it arrived. */
  readonly unconfirmed?: Unconfirmed;
};

/**
 * Whether both are reminders of one person about one message. A private message has no timestamp, so its snapshot
 * stands for it.
 */
export function isSame(one: Pick<Reminder, 'destination' | 'question'>, other: typeof one): boolean {
  const messageOf = ({ destination, question }: typeof one) => destination.messageTs ?? question.snapshotId;
  return one.destination.user === other.destination.user && messageOf(one) === messageOf(other);
}

/** Whether a reminder is about another snapshot than this one, and nothing else has fulfilled it. */
export function isAnother({ question, fulfilledBy }: OpenReminder, { snapshotId }: Question): boolean {
  const isOpen = fulfilledBy === undefined || fulfilledBy.question.snapshotId === snapshotId;
  return question.snapshotId !== snapshotId && isOpen;
}

/** What a result adds to a reminder that it fulfils; nothing if another one came first. */
export function fulfilled({ fulfilledBy: before }: OpenReminder, fulfilledBy: Fulfilment | undefined) {
  return before === undefined && fulfilledBy !== undefined ? { fulfilledBy } : {};
}

/** How many hits changed until then, if that is known. */
export function changesOf(last: LastRead | undefined): { changes?: ChangeCounts } {
  if (last?.found === undefined) return {};
  const { new: added, changed, cleared } = last.found;
  return { changes: { new: added.length, changed: changed.length, cleared: cleared.length } };
}
