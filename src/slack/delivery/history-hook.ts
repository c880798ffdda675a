import type { Lookup } from '../../core/lookup.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { DeliveryEvent, DeliveryHook } from './hooked-delivery.ts';

/** Adds the device's last result to a result, wherever it was read, and records the new one: without who read it, or where. */
export class HistoryHook implements DeliveryHook {
  readonly #history: DeviceHistory;

  constructor(history: DeviceHistory) {
    this.#history = history;
  }

  async before({ question, before }: Lookup, status: LookupStatus): Promise<LookupStatus> {
    if (status.kind !== 'ready' || before !== undefined) return status;
    const lastRead = await this.#history.lastBefore(question, status);
    return lastRead === undefined ? status : { ...status, lastRead };
  }

  async after({ lookup, status }: DeliveryEvent): Promise<void> {
    if (status.kind !== 'ready') return;
    if (lookup.before !== undefined && status.before !== undefined) {
      await this.#history.keep(lookup.before, status.before);
    }
    await this.#history.keep(lookup.question, status);
  }
}
