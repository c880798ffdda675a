import { isDeepStrictEqual } from 'node:util';
import { type HeldLease, LeaseLost, type Leases, withLeaseWhenFree } from './lease.ts';
import type { Change, Changed, Namespace } from './store.ts';

/** How long a lease lasts. If its holder dies, another process can change the value after this time. Milliseconds. */
const LEASE_MS = 5_000;

type Values<Value> = Pick<Namespace<Value>, 'get' | 'set' | 'delete'>;
type Waiting<Value> = PromiseWithResolvers<Changed<Value>> & {
  readonly change: Change<Value>;
  readonly ttlMs: (after: Value) => number;
};

/**
 * Runs the changes of each stored value one after the other, among all processes that share `leases`; without leases,
 * within this process alone. Changes that wait at the same time share one read and one write.
 */
export function changesOf<Value>(
  values: Values<Value>,
  name: string,
  leases: Leases | undefined,
): Namespace<Value>['change'] {
  const queues = new Map<string, Waiting<Value>[]>();
  const make = (key: string, queue: Waiting<Value>[]) => {
    const work = (lease?: HeldLease) => makeTogether(values, key, queue, lease);
    return leases === undefined ? work() : withLeaseWhenFree(leases, `turn:${name}:${key}`, LEASE_MS, work);
  };
  const makeAll = async (key: string, queue: Waiting<Value>[]) => {
    while (queue.length > 0) {
      try {
        await make(key, queue);
      } catch (error) {
        // After a lost lease another process may have written, so all queued changes run again on a fresh value.
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

/** Reads the value, runs all changes queued by then, writes once, and settles the changes after the write. */
async function makeTogether<Value>(
  values: Values<Value>,
  key: string,
  queue: Waiting<Value>[],
  lease: HeldLease | undefined,
): Promise<void> {
  const stored = await values.get(key);
  const taken = [...queue];
  const settle: (() => void)[] = [];
  let present = stored;
  for (const { change, resolve } of taken) {
    const changed = [present, await change(present)] as const;
    settle.push(() => resolve(changed));
    present = changed[1];
  }
  if (!isDeepStrictEqual(stored, present)) {
    await lease?.confirm();
    if (present === undefined || (Array.isArray(present) && present.length === 0)) await values.delete(key);
    else await values.set(key, present, taken.at(-1)?.ttlMs(present));
  }
  queue.splice(0, taken.length);
  for (const each of settle) each();
}
