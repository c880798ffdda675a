import type { Lookup } from '../../core/lookup.ts';
import { search } from '../../core/searching.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import type { DeliveryHook } from './hooked-delivery.ts';

/** Searches a result before its message is composed, if the lookup asks for a search. */
export const searchPreparation: DeliveryHook = {
  async before(lookup: Lookup, status: LookupStatus): Promise<LookupStatus> {
    if (status.kind !== 'ready' || lookup.search === undefined) return status;
    return { ...status, found: await search(status.result.diagnostics, lookup.search) };
  },
};
