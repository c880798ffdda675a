import type { Follow } from '../../src/lookups/queue.ts';
import { snapshotId } from './snapshot-id.ts';

/** A follow that has just begun, with its next step due in a minute. */
export function aFollow(id: string): Follow {
  const now = Date.now();
  return {
    id,
    acceptedAt: now,
    user: 'U1',
    question: { snapshotId: snapshotId('26808463'), set: 'all' },
    kind: 'hour',
    at: now + 60_000,
    until: now + 60_000,
    origin: { channel: 'C1', messageTs: '1.1' },
    host: '',
    known: { at: now },
  };
}
