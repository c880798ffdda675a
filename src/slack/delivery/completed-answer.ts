import type { Lookup } from '../../core/lookup.ts';
import { type DeviceHistory, recorded, recordedEach } from '../../lookups/device-history.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { DeliveryHook } from './hooked-delivery.ts';

/**
 * Completes a result before its message is made: with the last result of its device, in whose history it is recorded,
 * wherever it was read.
 */
export function completedAnswer(history: DeviceHistory): DeliveryHook {
  return {
    before: async (lookup: Lookup, status: LookupStatus) => {
      if ('units' in status && status.units !== undefined)
        return { ...status, units: await recordedEach(status.units, history) };
      return status.kind === 'ready' ? recorded(lookup, status, history) : status;
    },
  };
}
