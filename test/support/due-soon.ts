import { dueAfter } from '../../src/lookups/lookups.ts';
import { snapshotId } from './snapshot-id.ts';

/** The length of a day for the bots of a process world. */
const DAY_MS = 48_000;

/** Ids and the times of their daily reads, earliest first. The first read is at least `leadMs` from now. */
export function dueSoon(leadMs: number): (readonly [id: string, due: number])[] {
  const soon = Date.now() + leadMs;
  return Array.from({ length: 100 }, (_, index) => String(7_000 + index))
    .map((id) => [id, dueAfter(soon, snapshotId(id), DAY_MS)] as const)
    .sort(([, first], [, second]) => first - second);
}
