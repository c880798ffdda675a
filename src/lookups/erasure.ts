import { isDeepStrictEqual } from 'node:util';
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
 * lookups end without an answer. Returns how many entries were deleted or shortened. Throws `storage-failed`.
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
      if (isDeepStrictEqual(without(job, id), job)) continue;
      await jobs.remove(job.id);
      count += 1;
    }
  }
  return count;
}

async function eraseValues(id: string, values: Namespace<unknown>, historyMs: number): Promise<number> {
  // The longest time that any shortened value may still be kept; acceptances last longest.
  const keptMs = Math.max(historyMs, LONGEST_ACCEPTANCE_MS);
  let count = 0;
  for await (const [key, value] of values.entries()) {
    const rest = names(key, id) ? undefined : without(value, id);
    if (isDeepStrictEqual(rest, value)) continue;
    if (rest === undefined) await values.delete(key);
    else await values.set(key, rest, keptMs);
    count += 1;
  }
  return count;
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

function names(text: string, id: string): boolean {
  return text.split(SEPARATORS).includes(id);
}

/** A stored value without the parts that name the user: lists lose entries, other values are deleted (undefined). */
function without(value: unknown, id: string): unknown {
  if (typeof value === 'string') return names(value, id) ? undefined : value;
  if (Array.isArray(value))
    return value.map((each) => without(each, id)).filter((each) => each !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, without(inner, id)] as const);
  const isGone = entries.some(([name, inner]) => inner === undefined || names(name, id));
  return isGone ? undefined : Object.fromEntries(entries);
}
