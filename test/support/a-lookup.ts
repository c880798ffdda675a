import type { Job } from '../../src/lookups/queue.ts';
import { snapshotId } from './snapshot-id.ts';

/** A lookup that was just accepted and may wait for a minute. */
export function aLookup(id: string): Job {
  const now = Date.now();
  return {
    id,
    question: { snapshotId: snapshotId('26808463'), set: 'all' },
    askedBy: 'U1',
    destination: { channel: 'C1', user: 'U1' },
    acceptedAt: now,
    deadline: now + 60_000,
  };
}
