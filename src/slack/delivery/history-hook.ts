import type { Lookup } from '../../core/lookup.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { DeliveryEvent, DeliveryHook } from './hooked-delivery.ts';
import type { ReminderHook } from './reminder-hook.ts';

/**
 * Adds the device's last result to a result, and records the new one. Those who wait for a new result are told first,
 * because a snapshot that was read before is not new: if they can't be told, nothing is recorded either, and the next
 * try does both.
 */
export class HistoryHook implements DeliveryHook {
  readonly #history: DeviceHistory;
  readonly #reminding: ReminderHook;

  constructor(history: DeviceHistory, reminding: ReminderHook) {
    this.#history = history;
    this.#reminding = reminding;
  }

  async before({ question, before }: Lookup, status: LookupStatus): Promise<LookupStatus> {
    if (status.kind !== 'ready' || before !== undefined) return status;
    const lastRead = await this.#history.lastBefore(question, status);
    return lastRead === undefined ? status : { ...status, lastRead };
  }

  async after(event: DeliveryEvent): Promise<void> {
    const { lookup, status } = event;
    if (status.kind !== 'ready') return;
    await this.#reminding.after(event);
    if (lookup.before !== undefined && status.before !== undefined) {
      await this.#history.keep(lookup.before, status.before);
    }
    await this.#history.keep(lookup.question, status);
  }
}
