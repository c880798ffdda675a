import type { Comparison, Named } from '../core/comparing.ts';
import type { Unconfirmed } from '../core/destination.ts';
import { areOtherHosts } from '../core/device-identity.ts';
import type { Question } from '../core/lookup.ts';
import { isEarlier } from '../core/snapshot-id.ts';
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
  const messageOf = ({ destination: { user, channel, messageTs }, question }: typeof one) =>
    [user, channel, messageTs ?? question.snapshotId].join(' ');
  return messageOf(one) === messageOf(other);
}

/** A result that may fulfil reminders, and the name of its host, or ''. */
export type Arrival = { readonly question: Question; readonly host: string };

/** Whether a snapshot is newer than the reminder's and of no other host, and nothing else has fulfilled it. */
export function isFulfilledBy(
  { question, host = '', fulfilledBy }: OpenReminder,
  { question: { snapshotId }, host: arrived }: Arrival,
): boolean {
  const isOpen = fulfilledBy === undefined || fulfilledBy.question.snapshotId === snapshotId;
  return isOpen && isEarlier(question.snapshotId, snapshotId) && !areOtherHosts(host, arrived);
}

/** What a result adds to a reminder that it fulfils; nothing if another one came first. */
export function fulfilled({ fulfilledBy: before }: OpenReminder, fulfilledBy: Fulfilment | undefined) {
  return before === undefined && fulfilledBy !== undefined ? { fulfilledBy } : {};
}

/** How many hits changed. */
export function countsOf({ new: added, changed, cleared }: Comparison<Named>): ChangeCounts {
  return { new: added.length, changed: changed.length, cleared: cleared.length };
}
