/** The identifier of a snapshot: a decimal string whose leading zeros count (specification, 4.2). */
export type SnapshotId = string & { readonly snapshotId: true };

/** Seven digits in 2014, eight today; 20 leaves room for whatever a 64-bit counter can reach. */
const SNAPSHOT_ID = /^\d{1,20}$/;

/** Whether a text is a snapshot id. */
export function isSnapshotId(text: string): text is SnapshotId {
  return SNAPSHOT_ID.test(text);
}

/** Whether a snapshot was uploaded before another one: ids grow with time, and are numbers of any length. */
export function isEarlier(one: SnapshotId, other: SnapshotId): boolean {
  return BigInt(one) < BigInt(other);
}

/** Which diagnostics are asked for; `all` is the request without a `set` (specification, 4.2). */
export const DIAGNOSTIC_SETS = ['all', 'hit', 'miss'] as const;
export type DiagnosticSet = (typeof DIAGNOSTIC_SETS)[number];

/** One side of a result: the hits, most important first, or what was checked and is fine. */
export type Side = 'hit' | 'miss';
