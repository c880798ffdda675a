import type { Unconfirmed } from '../../core/destination.ts';
import { CompositionFailed, composing } from '../../lookups/lookup-status.ts';
import type { OpenReminder } from '../../lookups/open-reminder.ts';
import type { Reminder } from '../../lookups/reminder.ts';
import type { ReminderDelivery } from '../../lookups/reminders.ts';
import { dueReminderMessage } from '../answer/reminder-message.ts';
import type { Poster, Where } from './poster.ts';
import { isRefused } from './slack-errors.ts';

type ReminderPostOptions = {
  readonly poster: Poster;
  /** Whether somebody may still use the bot in a conversation. Throws when that can't be known now. */
  readonly mayStillSee: (user: string, channel: string) => Promise<boolean>;
  readonly now: () => number;
  /** Called with reminders that Slack refused everywhere, or that could not be composed. */
  readonly onUndelivered: (error: unknown, reminder: Reminder) => void;
};

/** Reminds in the thread of the message; of a private one, or where Slack refuses that, in a direct message. */
export class ReminderPost implements ReminderDelivery {
  readonly #options: ReminderPostOptions;

  constructor(options: ReminderPostOptions) {
    this.#options = options;
  }

  mayRemind({ destination: { user, channel } }: Reminder): Promise<boolean> {
    return this.#options.mayStillSee(user, channel);
  }

  async remind(reminder: OpenReminder, save: (unconfirmed: Unconfirmed) => Promise<void>): Promise<boolean> {
    let refusal: unknown;
    for (const where of candidatesFor(reminder)) {
      try {
        await this.#postOnce(where, reminder, save);
        return true;
      } catch (error) {
        // A bug in the message would only be repeated, so it counts as a refusal.
        if (!(isRefused(error) || error instanceof CompositionFailed)) throw error;
        refusal = error;
      }
    }
    this.#options.onUndelivered(refusal, reminder);
    return false;
  }

  /** A reply whose confirmation was lost is looked for before it is posted again. */
  async #postOnce(
    where: Where,
    reminder: OpenReminder,
    save: (unconfirmed: Unconfirmed) => Promise<void>,
  ): Promise<void> {
    const { poster, now } = this.#options;
    const { id, unconfirmed } = reminder;
    if (unconfirmed !== undefined && (await poster.find(where, id, unconfirmed, 'final'))) return;
    const message = composing(() => dueReminderMessage(reminder));
    await poster.post(where, message, 'final', { id, save: () => save({ at: now() }) });
  }
}

function candidatesFor({ destination }: Reminder): Where[] {
  const { channel, user, messageTs, threadTs = messageTs } = destination;
  const direct = { channel: user };
  return messageTs === undefined || threadTs === undefined ? [direct] : [{ channel, threadTs }, direct];
}
