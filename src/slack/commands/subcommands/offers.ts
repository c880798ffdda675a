import type { SnapshotId } from '../../../core/snapshot-id.ts';
import { comparisonOf } from './compare.ts';
import type { Offer } from './subcommand.ts';

/** As many snapshots as a person wants to choose from. */
const MOST = 10;

/** What can be asked of several snapshots: each alone, and of two also what changed from the first to the second. */
export function offersOf(ids: readonly SnapshotId[]): Offer[] {
  const [before, after] = ids;
  const isPair = before !== undefined && after !== undefined && ids.length === 2;
  const spoken = `Compare ${before} with ${after}`;
  return [
    ...(isPair ? [{ label: 'Compare them', spoken, asked: comparisonOf(before, after) }] : []),
    ...ids.slice(0, MOST).map((snapshotId) => ({
      label: snapshotId,
      asked: { question: { snapshotId, set: 'all' as const } },
    })),
  ];
}
