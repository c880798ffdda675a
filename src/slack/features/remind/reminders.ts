import { areOtherHosts, hostOf, isEarlier } from '../../../core/diagnostics.ts';
import type { Question, Unconfirmed } from '../../../core/lookup.ts';
import { CompositionFailed, composing, type Read } from '../../../lookups/lookup-status.ts';
import type { Reminder, Step } from '../../../lookups/queue.ts';
import { countsOf } from '../../answer/since.ts';
import type { Where } from '../../delivery/own-messages.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { FeatureParts, Watching } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/feature.ts';
import { dueReminderMessage, type Fulfilment } from './messages.ts';

/** A reminder that is still to come, with its progress, as it is stored. */
type OpenReminder = Reminder & {
  readonly fulfilledBy?: Fulfilment;
  /** The post of the reply, while nobody knows whether it arrived. */
  readonly unconfirmed?: Unconfirmed;
};

/** What happened to a reminder: it was set, or it ended in one of these ways. `withheld`: the person lost access. */
type ReminderOutcome = 'set' | 'cancelled' | 'reminded' | 'fulfilled' | 'withheld' | 'undeliverable';

/** The most reminders of one device. */
const MOST = 50;
/** How late a reminder may come and still be found, for example after an outage of days. Milliseconds. */
const LATE_BY_MS = 7 * 24 * 3_600_000;
const DONE = { done: true } as const;

/**
 * Reminders of results. Each is a job that ends at its time, or earlier if a newer result of its device arrives. Open
 * reminders are kept in lists, one for each device; a job that is in no list does nothing.
 */
export class Reminders {
  readonly #parts: FeatureParts;
  readonly #watching: Pick<Watching, 'of'>;

  constructor(parts: FeatureParts, watching: Pick<Watching, 'of'>) {
    this.#parts = parts;
    this.#watching = watching;
  }

  /** Starts work on all open reminders, those from before a restart included. */
  start(): Promise<void> {
    return this.#parts.reminderQueue.start((reminder) => this.#step(reminder));
  }

  /**
   * Sets a reminder, in place of the person's other one about that message. False when there are too many. Throws
   * `StorageFailed`, and then there is none.
   */
  async set(reminder: Reminder): Promise<boolean> {
    const { reminderQueue: queue } = this.#parts;
    const [before = [], after = []] = await this.#change(reminder.list, (open = []) => {
      const others = open.filter((each) => !isSame(each, reminder));
      return others.length < MOST ? [...others, reminder] : open;
    });
    if (!after.some(({ id }) => id === reminder.id)) return false;
    try {
      await queue.add(reminder);
    } catch (error) {
      await this.#put(reminder, () => []).catch(() => {});
      throw error;
    }
    for (const each of before) if (isSame(each, reminder)) await queue.remove(each.id).catch(() => {});
    this.#note('set', reminder);
    return true;
  }

  /** The person's reminder about that message, if there is one to come. Throws `StorageFailed`. */
  async find(sought: Pick<Reminder, 'list' | 'destination' | 'question'>): Promise<Reminder | undefined> {
    return (await this.#of(sought.list)).find((each) => isSame(each, sought));
  }

  /** Cancels a reminder and gives it; undefined if it is over or is not this person's. Throws `StorageFailed`. */
  async cancel({ list, id }: Pick<Reminder, 'list' | 'id'>, user: string): Promise<Reminder | undefined> {
    const found = (await this.#of(list)).find((each) => each.id === id && each.destination.user === user);
    if (found === undefined) return undefined;
    await this.#put(found, () => []);
    // Without its entry in the list the job does nothing, so a job that could not be removed does no harm.
    await this.#parts.reminderQueue.remove(id).catch(() => {});
    this.#note('cancelled', found);
    return found;
  }

  /**
   * Those who wait for a newer snapshot of a device are reminded at once when a result of it arrives, in whatever
   * conversation. Throws `StorageFailed`; a repeated call reminds nobody twice.
   */
  async after({ lookup: { question }, status }: DeliveryEvent): Promise<void> {
    if (status.kind !== 'ready') return;
    // Of several snapshots each counts for its own device.
    for (const unit of status.units ?? [{ ...status, question }])
      if (unit.kind === 'ready') await this.#arrived(unit.question, unit);
  }

  async #arrived(question: Question, read: Read): Promise<void> {
    if (question.set === 'miss') return;
    const { history, reminderQueue: queue } = this.#parts;
    const list = await history.nameOf(read.result);
    if (list === undefined) return;
    const host = hostOf(read.result.device);
    for (const waiting of await this.#of(list)) {
      if (!isFulfilledBy(waiting, question, host)) continue;
      const since = { question: waiting.question, at: waiting.readAt };
      const found = await history.changesSince(since, question, read);
      const fulfilledBy = { question, ...(found && { changes: countsOf(found) }) };
      // The first result that came stays the one.
      await this.#put(waiting, (open) => [{ fulfilledBy, ...open }]);
      await queue.wake(waiting.id);
    }
  }

  async #step(reminder: Reminder): Promise<Step<Reminder>> {
    const { access, now } = this.#parts;
    const open = (await this.#of(reminder.list)).find(({ id }) => id === reminder.id);
    // The reminder was cancelled, replaced or erased.
    if (open === undefined) return DONE;
    const { fulfilledBy, destination } = open;
    if (fulfilledBy === undefined && now() < reminder.at)
      return { done: false, job: reminder, at: reminder.at };
    const outcome = (await access.mayStillSee(destination.user, destination.channel))
      ? await this.#remind(open)
      : 'withheld';
    await this.#put(open, () => []);
    this.#note(outcome, open);
    return DONE;
  }

  /**
   * Reminds in the thread of the message; of a private one, or where Slack refuses that, in a direct message. Throws if
   * the reply may not have arrived and another try may succeed.
   */
  async #remind(open: OpenReminder): Promise<ReminderOutcome> {
    const { poster, now, logger } = this.#parts;
    const { id, destination, question, fulfilledBy, unconfirmed } = open;
    const compose = async () => {
      const watched = await this.#watching.of(destination.user);
      const isWatched = watched.some(({ snapshotId }) => snapshotId === question.snapshotId);
      return composing(() => dueReminderMessage({ ...open, isWatched }));
    };
    const save = () => this.#put(open, (each) => [{ ...each, unconfirmed: { at: now() } }]);
    let refusal: unknown;
    for (const where of candidatesFor(open)) {
      try {
        await poster.postOnce(where, compose, { id, save, unconfirmed });
        return fulfilledBy === undefined ? 'reminded' : 'fulfilled';
      } catch (error) {
        // A bug in the message would only be repeated, so it counts as a refusal.
        if (!(isRefused(error) || error instanceof CompositionFailed)) throw error;
        refusal = error;
      }
    }
    logger.warn({ err: refusal, reminder: id }, 'a reminder could not be delivered');
    return 'undeliverable';
  }

  async #of(list: string): Promise<readonly OpenReminder[]> {
    return (await this.#parts.store.namespace<readonly OpenReminder[]>('reminders').get(list)) ?? [];
  }

  #note(outcome: ReminderOutcome, { id, destination: { user, channel }, question }: Reminder): void {
    const { logger, audit, countReminder } = this.#parts;
    const { snapshotId: snapshot } = question;
    countReminder(outcome);
    logger.info({ reminder: id, snapshot, outcome }, 'reminder');
    audit({ event: 'reminder', user, channel, snapshot, outcome });
  }

  /** Puts others in place of an open reminder, or none. */
  async #put({ list, id }: Reminder, make: (open: OpenReminder) => readonly OpenReminder[]): Promise<void> {
    await this.#change(list, (open = []) => open.flatMap((each) => (each.id === id ? make(each) : [each])));
  }

  #change(list: string, make: (open?: readonly OpenReminder[]) => readonly OpenReminder[]) {
    const { store, now } = this.#parts;
    const untilLast = (open: readonly OpenReminder[]) =>
      Math.max(...open.map(({ at }) => at + LATE_BY_MS - now()), 1);
    return store.namespace<readonly OpenReminder[]>('reminders').change(list, make, untilLast);
  }
}

/** Whether both are of one person and one message. A private message has no timestamp: its snapshot stands for it. */
function isSame(one: Pick<Reminder, 'destination' | 'question'>, other: typeof one): boolean {
  const messageOf = ({ destination: { user, channel, messageTs }, question }: typeof one) =>
    [user, channel, messageTs ?? question.snapshotId].join(' ');
  return messageOf(one) === messageOf(other);
}

/** Whether a snapshot is newer than the reminder's and of no other host, and nothing else has fulfilled it. */
function isFulfilledBy(
  { question, host = '', fulfilledBy }: OpenReminder,
  { snapshotId }: Reminder['question'],
  arrived: string,
): boolean {
  const isOpen = fulfilledBy === undefined || fulfilledBy.question.snapshotId === snapshotId;
  return isOpen && isEarlier(question.snapshotId, snapshotId) && !areOtherHosts(host, arrived);
}

function candidatesFor({ destination }: Reminder): Where[] {
  const { channel, user, messageTs, threadTs = messageTs } = destination;
  const direct = { channel: user };
  return messageTs === undefined || threadTs === undefined ? [direct] : [{ channel, threadTs }, direct];
}
