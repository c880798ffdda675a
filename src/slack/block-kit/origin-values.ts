import { z } from 'zod';
import { readCarried } from './carried.ts';

/** The message that a modal was opened from. A private message has no timestamp here. */
export type Origin = { readonly channel: string; readonly messageTs?: string; readonly threadTs?: string };

const originShape = z.object({
  channel: z.string(),
  message: z.string().optional(),
  thread: z.string().optional(),
});

/** The message that a modal was opened from, as its metadata. */
export function originValue({ channel, messageTs: message, threadTs: thread }: Origin): string {
  return JSON.stringify({ channel, message, thread });
}

/** Throws `UnreadableValue` if the text has another form. */
export function readOrigin(value: string | undefined): Origin {
  const { channel, message, thread } = readCarried(originShape, value);
  return {
    channel,
    ...(message === undefined ? {} : { messageTs: message }),
    ...(thread === undefined ? {} : { threadTs: thread }),
  };
}
