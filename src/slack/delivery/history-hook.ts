import { hostOf } from '../../core/device-identity.ts';
import type { Lookup } from '../../core/lookup.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { Reminders } from '../../lookups/reminders.ts';
import type { DeliveryEvent, DeliveryHook } from './hooked-delivery.ts';

type Ready = LookupStatus & { readonly kind: 'ready' };

/**
 * Adds the device's last result to a result, records the new one, and tells those who wait for a newer snapshot of the
 * device, wherever it was read. Neither says who read it, or where.
 */
export class HistoryHook implements DeliveryHook {
  readonly #history: DeviceHistory;
  readonly #reminders: Pick<Reminders, 'fulfil'>;

  constructor(history: DeviceHistory, reminders: Pick<Reminders, 'fulfil'>) {
    this.#history = history;
    this.#reminders = reminders;
  }

  async before({ question, before }: Lookup, status: LookupStatus): Promise<LookupStatus> {
    if (status.kind !== 'ready' || before !== undefined) return status;
    const lastRead = await this.#history.lastBefore(question, status);
    return lastRead === undefined ? status : { ...status, lastRead };
  }

  async after({ lookup, status }: DeliveryEvent): Promise<void> {
    if (status.kind !== 'ready') return;
    await this.#remind(lookup, status);
    if (lookup.before !== undefined && status.before !== undefined) {
      await this.#history.keep(lookup.before, status.before);
    }
    await this.#history.keep(lookup.question, status);
  }

  async #remind({ question }: Lookup, status: Ready): Promise<void> {
    if (question.set === 'miss') return;
    const device = await this.#history.nameOf(status.result);
    if (device === undefined) return;
    await this.#reminders.fulfil(device, { question, host: hostOf(status.result.device) }, (reminder) =>
      this.#history.changesSince({ question: reminder.question, at: reminder.readAt }, question, status),
    );
  }
}
