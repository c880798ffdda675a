import { LONGEST_ACCEPTANCE_MS } from '../core/comparing.ts';
import type { Namespace, Retention, Store } from '../core/store.ts';
import { NAMESPACES, type NamespaceName } from '../core/store.ts';
import type { AnyJob, Follow, JobQueue, LookupQueue } from './queue.ts';

/** Whose data to delete: a person's, by Slack's id, or a snapshot's. */
export type Subject = { readonly kind: 'user' | 'snapshot'; readonly id: string };

export type ErasedKind = NamespaceName | 'open lookups' | 'open follows';
/** How many values of each kind were deleted or shortened. */
type Erased = ReadonlyMap<ErasedKind, number>;

type Stores = {
  readonly store: Store;
  readonly queue: LookupQueue;
  readonly follows: JobQueue<Follow>;
};

/** An id in a key or value stands alone or is followed by one of these. */
const SEPARATORS = /[:\0/]/;
const GONE = Symbol('gone');
/**
 * What somebody else asked for can last longer than anything else is kept, so it gets no time limit here: it is deleted
 * with its last entry.
 */
const ENDS_BY_ITSELF: ReadonlySet<NamespaceName> = new Set(['follows', 'waiting-for-newer']);

/**
 * Removes what is kept of a person or a snapshot from the store. Open lookups then get no answer, and nobody
 * follows. A value that is about others too loses only its part. Throws `StorageFailed`.
 */
export async function erase(
  subject: Subject,
  { store, queue, follows }: Stores,
  { historyMs }: Retention,
): Promise<Erased> {
  const erased = new Map<ErasedKind, number>();
  for (const name of Object.keys(NAMESPACES) as NamespaceName[]) {
    const keptMs = name === 'accepted' ? LONGEST_ACCEPTANCE_MS : historyMs;
    const ttlMs = ENDS_BY_ITSELF.has(name) ? undefined : keptMs;
    erased.set(name, await eraseFrom(store.namespace<unknown>(name), subject, ttlMs));
  }
  erased.set('open follows', await eraseJobs(follows, subject));
  return erased.set('open lookups', await eraseJobs(queue, subject));
}

/** Erasure at the end of an account, and of the installation. */
export function erasureIn(stores: Stores, retention: Retention, longestStepMs: number) {
  const { store } = stores;
  return {
    ofUser: async (id: string) => void (await erase({ kind: 'user', id }, stores, retention)),
    ofEverything: async () => {
      await store.clear();
      // A step that ran during the deletion may have stored its result since.
      setTimeout(() => store.clear().catch(() => {}), longestStepMs).unref();
    },
  };
}

async function eraseJobs<J extends AnyJob>(queue: JobQueue<J>, subject: Subject): Promise<number> {
  let count = 0;
  for await (const job of queue.entries()) {
    // Also one that names the subject among others.
    if (without(job, subject) === job) continue;
    await queue.remove(job.id);
    count += 1;
  }
  return count;
}

async function eraseFrom(
  namespace: Namespace<unknown>,
  subject: Subject,
  rewrittenMs: number | undefined,
): Promise<number> {
  let count = 0;
  for await (const [key, value] of namespace.entries()) {
    const rest = names(key, subject) ? GONE : without(value, subject);
    if (rest === value) continue;
    if (rest === GONE) await namespace.delete(key);
    else await namespace.set(key, rest, rewrittenMs);
    count += 1;
  }
  return count;
}

function names(text: string, { id }: Subject): boolean {
  return text === id || text.split(SEPARATORS).includes(id);
}

/** The value without the parts that name the subject: lists lose entries, any other value is dropped whole. */
function without(value: unknown, subject: Subject): unknown {
  if (typeof value === 'string') return names(value, subject) ? GONE : value;
  if (Array.isArray(value)) {
    const rest = value.map((each) => without(each, subject)).filter((each) => each !== GONE);
    const isUntouched = rest.length === value.length && rest.every((each, index) => each === value[index]);
    return isUntouched ? value : rest;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, without(inner, subject)] as const);
  if (entries.some(([name, inner]) => inner === GONE || names(name, subject))) return GONE;
  const isUntouched = entries.every(([name, inner]) => inner === Reflect.get(value, name));
  return isUntouched ? value : Object.fromEntries(entries);
}
