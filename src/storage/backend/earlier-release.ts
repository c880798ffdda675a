import type { NamespaceName } from '../../core/namespaces.ts';

/**
 * The names under which version 0.1 stored each kind of value, by plain keys, and the version that those values count
 * as here. Kinds that are not listed were caches. Delete this file once nobody upgrades from 0.1 any more.
 */
export const EARLIER_NAMES: Partial<Readonly<Record<NamespaceName, string>>> = {
  cancelled: 'cancelled',
  'hit-summaries': 'digests',
  'login-cool-down': 'login-cool-down',
  recents: 'recents',
  session: 'session',
  subscriptions: 'circles',
  'waiting-messages': 'standing',
};
export const EARLIER_VERSION = 1;
/** Where version 0.1 stored its leases, and its open lookups in the embedded store. */
export const EARLIER_LEASES = 'claims';
export const EARLIER_LOOKUPS = 'lookups';
