import { isSnapshotId, type SnapshotId } from '../../src/core/diagnostics.ts';

/** A text as a snapshot id. */
export function snapshotId(text: string): SnapshotId {
  if (!isSnapshotId(text)) throw new Error(`${text} is no snapshot id`);
  return text;
}
