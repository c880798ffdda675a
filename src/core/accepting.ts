import type { Diagnostic, Software } from './diagnostics.ts';
import { levelOf } from './importance.ts';
import type { SnapshotId } from './snapshot-id.ts';

type Named = Pick<Diagnostic, 'name' | 'importance'>;

/** A hit that somebody accepted for a device, as it was rated then. Times are epoch milliseconds. */
export type Acceptance = Named & {
  /** Who accepted it: Slack's id, and the name as text, which notifies nobody. */
  readonly user: string;
  readonly userName: string;
  readonly reason: string;
  /** The result that it was accepted in, and the host of the chassis; '' for one without a name of its own. */
  readonly snapshotId: SnapshotId;
  readonly host: string;
  readonly at: number;
  readonly until: number;
  /** What ran on the device, where a later release ends it. */
  readonly release?: Software;
  /** It ended before its time, since when the hit is rated differently or a later release runs. */
  readonly isOver?: true;
};

/** No acceptance lasts longer, nor is kept. Milliseconds. */
export const LONGEST_ACCEPTANCE_MS = 90 * 24 * 3_600_000;

/** What was accepted for a device: what counts for a result of it, and what ended before its time. */
export type Accepted = { readonly inForce: readonly Acceptance[]; readonly over: readonly Acceptance[] };
export const NOTHING_ACCEPTED: Accepted = { inForce: [], over: [] };

/** The acceptance of a hit: it is of that name, at that importance. */
export function acceptanceOf(hit: Named, accepted: readonly Acceptance[] = []): Acceptance | undefined {
  return accepted.find((each) => isOf(each, hit));
}

/** Whether both are of one name and one importance. */
export function isOf(one: Named, other: Named): boolean {
  return one.name === other.name && levelOf(one).key === levelOf(other).key;
}
