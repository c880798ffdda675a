import type { Reminder } from '../../src/lookups/queue.ts';
import { snapshotId } from './snapshot-id.ts';

/** A reminder as it is when it has just been set, to come in a minute. */
export function aReminder(id: string): Reminder {
  const now = Date.now();
  return {
    id,
    acceptedAt: now,
    at: now + 60_000,
    question: { snapshotId: snapshotId('26808463'), set: 'all' },
    readAt: now,
    destination: { channel: 'C1', user: 'U1', messageTs: '1.1' },
    list: '',
  };
}
