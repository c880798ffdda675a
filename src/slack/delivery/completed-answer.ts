import type { Lookup } from '../../core/lookup.ts';
import { search } from '../../core/searching.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { DeliveryHook } from './hooked-delivery.ts';

/**
 * Completes a result before its message is made: with what a search finds in it, and with the last result of its device,
 * in whose history it is recorded, wherever it was read.
 */
export function completedAnswer(history: DeviceHistory): DeliveryHook {
  return {
    before: async ({ question, before, search: sought }: Lookup, status: LookupStatus) => {
      if (status.kind !== 'ready') return status;
      if (before !== undefined && status.before !== undefined) await history.record(before, status.before);
      const lastRead = await history.record(question, status);
      const found = sought && (await search(status.result.diagnostics, sought));
      const known = lastRead === undefined || before !== undefined ? {} : { lastRead };
      return { ...status, ...known, ...(found && { found }) };
    },
  };
}
