import { isSnapshotId, type SnapshotId } from '../../src/core/diagnostics.ts';

/** A text as the id that it is. */
export function snapshotId(text: string): SnapshotId {
  if (!isSnapshotId(text)) throw new Error(`${text} is no snapshot id`);
  return text;
}
