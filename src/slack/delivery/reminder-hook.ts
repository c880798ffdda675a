import { isPrivately } from '../../core/destination.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import { listOf } from '../../lookups/reminder.ts';
import type { Reminders } from '../../lookups/reminders.ts';
import type { DeliveryEvent, DeliveryHook } from './hooked-delivery.ts';

/** Tells those who wait for a new result of a device that one was posted in their conversation. */
export class ReminderHook implements DeliveryHook {
  readonly #history: DeviceHistory;
  readonly #reminders: Reminders;

  constructor(history: DeviceHistory, reminders: Reminders) {
    this.#history = history;
    this.#reminders = reminders;
  }

  async after({ lookup: { question }, status, shown }: DeliveryEvent): Promise<void> {
    const { destination } = shown;
    if (status.kind !== 'ready' || question.set === 'miss' || isPrivately(destination)) return;
    if (await this.#history.wasRead(question, status)) return;
    const device = await this.#history.nameOf(status.result);
    if (device === undefined) return;
    await this.#reminders.fulfil(listOf(destination.channel, device), question, (reminder) =>
      this.#history.changesSince({ question: reminder.question, at: reminder.readAt }, question, status),
    );
  }
}
