import type { Unconfirmed } from '../core/destination.ts';
import type { Mutex } from '../core/mutex.ts';
import type { Namespace } from '../core/store.ts';
import type { LastRead } from './lookup-status.ts';
import {
  type Arrival,
  countsOf,
  type Fulfilment,
  fulfilled,
  isFulfilledBy,
  isSame,
  type OpenReminder,
} from './open-reminder.ts';
import type { JobQueue, Step } from './queue.ts';
import type { Reminder } from './reminder.ts';

/** What happened to a reminder: it was set, or it ended in one of these ways. */
export type ReminderOutcome =
  | 'set'
  | 'cancelled'
  | 'reminded'
  | 'fulfilled'
  /** The person may not use the bot there any more. */
  | 'withheld'
  | 'undeliverable';

/** Reminds people in Slack. */
export interface ReminderDelivery {
  /** Whether the person may still use the bot there. Throws when that can't be found out now. */
  mayRemind(reminder: Reminder): Promise<boolean>;
  /**
   * Mentions the person; `save` stores that a post is under way. False if Slack refuses it everywhere. Throws if it may
   * not have arrived and another try may succeed.
   */
  remind(reminder: OpenReminder, save: (unconfirmed: Unconfirmed) => Promise<void>): Promise<boolean>;
}

type RemindersOptions = {
  readonly queue: JobQueue<Reminder>;
  readonly namespace: Namespace<readonly OpenReminder[]>;
  readonly mutex: Mutex;
  readonly delivery: ReminderDelivery;
  readonly now: () => number;
  /** Milliseconds. */
  readonly dayMs: number;
  readonly onOutcome: (outcome: ReminderOutcome, reminder: Reminder) => void;
};

/** The most reminders of one device. */
const MOST = 50;
/** How far ahead a reminder can be set. */
export const MOST_REMINDER_DAYS = 90;
/** How late a reminder may come and still be found, for example after an outage of days. Milliseconds. */
const LATE_BY_MS = 7 * 24 * 3_600_000;
const DONE: Step<Reminder> = { done: true };

/**
 * Reminders of results. Each is a job that ends at its time, or earlier if a new result of its device arrives. Open
 * reminders are kept in lists, one for each device; a job that is in no list does nothing.
 */
export class Reminders {
  readonly #options: RemindersOptions;

  constructor(options: RemindersOptions) {
    this.#options = options;
  }

  /** The time that is this many days from now, in epoch milliseconds. */
  inDays(days: number): number {
    return this.#options.now() + days * this.#options.dayMs;
  }

  /** Starts work on all open reminders, those from before a restart included. */
  start(): Promise<void> {
    return this.#options.queue.start((reminder) => this.#step(reminder));
  }

  /**
   * Sets a reminder, in place of the person's other one about that message. False when there are too many. Throws
   * `StorageFailed`, and then there is none.
   */
  async set(reminder: Reminder): Promise<boolean> {
    const { queue, onOutcome } = this.#options;
    const replaced: OpenReminder[] = [];
    const isSet = await this.#change(reminder.list, (open) => {
      replaced.push(...open.filter((each) => isSame(each, reminder)));
      const others = open.filter((each) => !isSame(each, reminder));
      return others.length < MOST ? [...others, reminder] : open;
    }).then((open) => open.some(({ id }) => id === reminder.id));
    if (!isSet) return false;
    try {
      await queue.add(reminder);
    } catch (error) {
      await this.#remove(reminder).catch(() => {});
      throw error;
    }
    for (const { id } of replaced) await queue.remove(id).catch(() => {});
    onOutcome('set', reminder);
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
    await this.#remove(found);
    // Without its entry in the list the job does nothing, so a job that could not be removed does no harm.
    await this.#options.queue.remove(id).catch(() => {});
    this.#options.onOutcome('cancelled', found);
    return found;
  }

  /**
   * A result of the device has arrived, in whatever conversation: those who wait for a newer one are reminded at once. `compare` says what changed
   * since the result that a reminder is about. Throws `StorageFailed`; a repeated call reminds nobody twice.
   */
  async fulfil(
    list: string,
    arrival: Arrival,
    compare: (reminder: Reminder) => Promise<LastRead | undefined>,
  ): Promise<void> {
    const { question } = arrival;
    const waiting = (await this.#of(list)).filter((each) => isFulfilledBy(each, arrival));
    if (waiting.length === 0) return;
    const fulfilments = new Map<string, Fulfilment>();
    for (const each of waiting) {
      const found = (await compare(each))?.found;
      fulfilments.set(each.id, found === undefined ? { question } : { question, changes: countsOf(found) });
    }
    await this.#change(list, (open) =>
      open.map((each) => ({ ...each, ...fulfilled(each, fulfilments.get(each.id)) })),
    );
    for (const { id } of waiting) await this.#options.queue.wake(id);
  }

  async #step(reminder: Reminder): Promise<Step<Reminder>> {
    const { delivery, now, onOutcome } = this.#options;
    const open = (await this.#of(reminder.list)).find(({ id }) => id === reminder.id);
    // The reminder was cancelled, replaced or erased.
    if (open === undefined) return DONE;
    const isEarly = open.fulfilledBy === undefined && now() < reminder.at;
    if (isEarly) return { done: false, job: reminder, at: reminder.at };
    const outcome = (await delivery.mayRemind(open)) ? await this.#remind(open) : 'withheld';
    await this.#remove(open);
    onOutcome(outcome, open);
    return DONE;
  }

  async #remind(open: OpenReminder): Promise<ReminderOutcome> {
    const save = async (unconfirmed: Unconfirmed) => {
      await this.#change(open.list, (all) =>
        all.map((each) => (each.id === open.id ? { ...each, unconfirmed } : each)),
      );
    };
    if (!(await this.#options.delivery.remind(open, save))) return 'undeliverable';
    return open.fulfilledBy === undefined ? 'reminded' : 'fulfilled';
  }

  async #remove({ list, id }: Reminder): Promise<void> {
    await this.#change(list, (open) => open.filter((each) => each.id !== id));
  }

  async #of(list: string): Promise<readonly OpenReminder[]> {
    return (await this.#options.namespace.get(list)) ?? [];
  }

  #change(
    list: string,
    change: (open: readonly OpenReminder[]) => readonly OpenReminder[],
  ): Promise<readonly OpenReminder[]> {
    const { namespace, mutex, now } = this.#options;
    return mutex.run(`reminders:${list}`, async () => {
      const open = change(await this.#of(list));
      const until = Math.max(...open.map(({ at }) => at)) + LATE_BY_MS;
      await (open.length === 0
        ? namespace.delete(list)
        : namespace.set(list, open, Math.max(until - now(), 1)));
      return open;
    });
  }
}
