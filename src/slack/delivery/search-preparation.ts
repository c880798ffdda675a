import type { Lookup } from '../../core/lookup.ts';
import { search } from '../../core/searching.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { DeliveryHook } from './hooked-delivery.ts';

/** Searches the result of a lookup that asks for it, before its message is made. */
export const searchPreparation: DeliveryHook = {
  async before(lookup: Lookup, status: LookupStatus): Promise<LookupStatus> {
    if (status.kind !== 'ready' || lookup.search === undefined) return status;
    return { ...status, found: await search(status.result.diagnostics, lookup.search) };
  },
};
