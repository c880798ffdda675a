import { type Leases, withLeaseWhenFree } from '../../core/lease.ts';
import { REMEMBERED_MS } from '../../core/lookup.ts';

/** The leases that tell whether work was done before. */
type Remembering = { readonly leases: Leases };

/** How long work is held without a sign of life: Slack's retry comes a minute after a process has died. */
const WORKING_MS = 5_000;

/**
 * Does work for the first delivery of a name, also while the store is away. Work that throws or gives false may be done
 * again at once; work whose process dies is not. False for a repeated delivery. Throws what the work throws.
 */
export async function unlessRepeated(
  { leases }: Remembering,
  name: string,
  work: () => Promise<unknown>,
  rememberedMs = REMEMBERED_MS,
): Promise<boolean> {
  const lease = leaseOf(name);
  if (!(await leases.acquire(lease, rememberedMs).catch(() => true))) return false;
  let done: unknown = false;
  try {
    done = await work();
  } finally {
    if (done === false) await leases.release(lease).catch(() => {});
  }
  return true;
}

/**
 * The same for work that has to be done: a repeated delivery waits until the work of the first one is finished, and does
 * it where that failed or its process died. Throws `storage-failed`, too.
 */
export async function untilDone(
  { leases }: Remembering,
  name: string,
  work: () => Promise<unknown>,
  rememberedMs = REMEMBERED_MS,
): Promise<void> {
  const lease = leaseOf(name);
  // A lease that lasts longer than that is kept by work that is done.
  const isDone = async () => ((await leases.ttl(lease)) > WORKING_MS ? 'done' : undefined);
  await withLeaseWhenFree<unknown>(
    leases,
    lease,
    { ms: WORKING_MS },
    async (held) => {
      await work();
      held.keepUntil(performance.now() + rememberedMs);
    },
    isDone,
  );
}

/** Lets work be done again though it is remembered as finished: what followed on it came to nothing. */
export function again({ leases }: Remembering, name: string): Promise<void> {
  return leases.hold(leaseOf(name), 1);
}

function leaseOf(name: string): string {
  return `delivery:${name}`;
}
