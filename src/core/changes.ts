import { isDeepStrictEqual } from 'node:util';
import { type HeldLease, LeaseLost, type Leases, withLeaseWhenFree } from './lease.ts';
import type { Change, Changed, Namespace } from './store.ts';

/** If a process dies while it changes a value, the next one can change it after this. Milliseconds. */
const TERMS = { ms: 5_000, askAgainMs: 20 };

type Values<Value> = Pick<Namespace<Value>, 'get' | 'set' | 'delete'>;
type Waiting<Value> = PromiseWithResolvers<Changed<Value>> & {
  readonly change: Change<Value>;
  readonly ttlMs: (after: Value) => number;
};

/**
 * Makes the changes of each stored value one after the other, also among the processes that share the leases; without
 * leases only among those of this process. Those that wait at the same time are made with one read and one write.
 */
export function changesOf<Value>(
  values: Values<Value>,
  name: string,
  leases: Leases | undefined,
): Namespace<Value>['change'] {
  const queues = new Map<string, Waiting<Value>[]>();
  const make = (key: string, queue: Waiting<Value>[]) => {
    const work = (lease?: HeldLease) => makeTogether(values, key, queue, lease);
    return leases === undefined ? work() : withLeaseWhenFree(leases, `turn:${name}:${key}`, TERMS, work);
  };
  const makeAll = async (key: string, queue: Waiting<Value>[]) => {
    while (queue.length > 0) {
      try {
        await make(key, queue);
      } catch (error) {
        // After a lost lease others may have written: everything is done again.
        if (!(error instanceof LeaseLost)) for (const { reject } of queue.splice(0)) reject(error);
      }
    }
    queues.delete(key);
  };
  return (key, change, ttlMs) => {
    const waiting = { ...Promise.withResolvers<Changed<Value>>(), change, ttlMs };
    const queue = queues.get(key) ?? [];
    queue.push(waiting);
    if (!queues.has(key)) {
      queues.set(key, queue);
      void makeAll(key, queue);
    }
    return waiting.promise;
  };
}

/** Reads the value, makes all waiting changes, and writes it once. If that fails, they stay in the queue. */
async function makeTogether<Value>(
  values: Values<Value>,
  key: string,
  queue: Waiting<Value>[],
  lease: HeldLease | undefined,
): Promise<void> {
  const stored = await values.get(key);
  const made: (readonly [Waiting<Value>, Changed<Value>])[] = [];
  let present: Value | undefined = stored;
  let keptMs = 0;
  for (const waiting of queue.splice(0)) {
    try {
      const before = present;
      const after = await waiting.change(before);
      if (after !== undefined) keptMs = waiting.ttlMs(after);
      made.push([waiting, [before, after]]);
      present = after;
    } catch (error) {
      waiting.reject(error);
    }
  }
  try {
    if (!isDeepStrictEqual(stored, present)) {
      await lease?.confirm();
      if (present === undefined || (Array.isArray(present) && present.length === 0)) await values.delete(key);
      else await values.set(key, present, keptMs);
    }
  } catch (error) {
    queue.unshift(...made.map(([waiting]) => waiting));
    throw error;
  }
  for (const [{ resolve }, changed] of made) resolve(changed);
}
