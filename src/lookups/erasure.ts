import { LONGEST_ACCEPTANCE_MS } from '../core/comparing.ts';
import { NAMESPACES, type Namespace, type NamespaceName, type Retention, type Store } from '../core/store.ts';
import type { Follow, JobQueue, LookupQueue } from './queue.ts';

type Stores = {
  readonly store: Store;
  readonly queue: LookupQueue;
  readonly follows: JobQueue<Follow>;
};

/** The characters that separate an id from the other parts of a key or value. */
const SEPARATORS = /[:\0/]/;

/**
 * Deletes the stored data of a user: what they own, follow, accepted and asked for, and their notifications. Their open
 * lookups end without an answer. Returns how many values and jobs were deleted or shortened. Throws `storage-failed`.
 */
export async function eraseUser(
  id: string,
  { store, queue, follows }: Stores,
  { historyMs }: Retention,
): Promise<number> {
  let count = 0;
  for (const name of Object.keys(NAMESPACES) as NamespaceName[])
    count += await eraseValues(id, store.namespace<unknown>(name), historyMs);
  for (const jobs of [queue, follows]) {
    for await (const job of jobs.entries()) {
      if (!names(job, id)) continue;
      await jobs.remove(job.id);
      count += 1;
    }
  }
  return count;
}

async function eraseValues(id: string, values: Namespace<unknown>, historyMs: number): Promise<number> {
  // A shortened list is kept for the longest time that any of its entries may last.
  const keptMs = Math.max(historyMs, LONGEST_ACCEPTANCE_MS);
  let count = 0;
  for await (const [key, value] of values.entries()) {
    if (!names([key, value], id)) continue;
    const rest = Array.isArray(value) && !names(key, id) ? value.filter((each) => !names(each, id)) : [];
    await (rest.length > 0 ? values.set(key, rest, keptMs) : values.delete(key));
    count += 1;
  }
  return count;
}

/** Whether the user's id occurs in any text of the value. */
function names(value: unknown, id: string): boolean {
  if (typeof value === 'string') return value.split(SEPARATORS).includes(id);
  const parts = typeof value === 'object' && value !== null ? Object.entries(value).flat() : [];
  return parts.some((each) => names(each, id));
}

/** Deletes the data of a deactivated account, or all data after an uninstallation. */
export function erasureIn(stores: Stores, retention: Retention, longestStepMs: number) {
  const { store } = stores;
  return {
    ofUser: async (id: string) => void (await eraseUser(id, stores, retention)),
    ofEverything: async () => {
      await store.clear();
      // A step that ran during the deletion may have stored something afterwards.
      setTimeout(() => store.clear().catch(() => {}), longestStepMs).unref();
    },
  };
}
