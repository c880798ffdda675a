import type { types } from '@slack/bolt';
import { z } from 'zod';

const destination = z.object({
  channel: z.string(),
  threadTs: z.string().optional(),
  hasThread: z.boolean().optional(),
  /** The way to answer where the bot is no member. `expiresAt` is epoch milliseconds. */
  response: z.object({ url: z.string(), expiresAt: z.number() }).optional(),
});

/** Where a modal was opened from, and where its answer goes. Every modal of a message carries at least the channel. */
export type ModalDestination = z.infer<typeof destination>;

/** The view, with its place: Slack does not say by itself where a modal was opened. */
export function withDestination(view: types.ModalView, opened: ModalDestination): types.ModalView {
  return { ...view, private_metadata: JSON.stringify(opened) };
}

/** Where the view was opened from, if it says so. */
export function destinationOfView(
  view: { readonly private_metadata?: string } | undefined,
): ModalDestination | undefined {
  try {
    return destination.safeParse(JSON.parse(view?.private_metadata ?? '')).data;
  } catch {
    return undefined;
  }
}
