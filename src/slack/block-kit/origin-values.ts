import { z } from 'zod';
import { isSnapshotId, type SnapshotId } from '../../core/snapshot-id.ts';
import { readCarried } from './carried.ts';

/** The message that a modal was opened from. A private message has no timestamp here. */
export type Origin = { readonly channel: string; readonly messageTs?: string; readonly threadTs?: string };

const snapshotId = z.string().refine(isSnapshotId);
const originShape = z.object({
  channel: z.string(),
  message: z.string().optional(),
  thread: z.string().optional(),
});
const comparingShape = originShape.extend({ id: snapshotId });

/** The message that a modal was opened from, as its metadata. */
export function originValue({ channel, messageTs: message, threadTs: thread }: Origin): string {
  return JSON.stringify({ channel, message, thread });
}

/** The snapshot to compare, and its message, as a modal's metadata. */
type Comparing = Origin & { readonly snapshotId: SnapshotId };

export function comparingValue({
  snapshotId: id,
  channel,
  messageTs: message,
  threadTs: thread,
}: Comparing): string {
  return JSON.stringify({ channel, message, thread, id });
}

/** The readers below throw `UnreadableValue` if the text has another form. */
export function readOrigin(value: string | undefined): Origin {
  return originOf(readCarried(originShape, value));
}

export function readComparing(value: string | undefined): Comparing {
  const { id, ...origin } = readCarried(comparingShape, value);
  return { ...originOf(origin), snapshotId: id };
}

function originOf({ channel, message, thread }: z.infer<typeof originShape>): Origin {
  return {
    channel,
    ...(message === undefined ? {} : { messageTs: message }),
    ...(thread === undefined ? {} : { threadTs: thread }),
  };
}
