import type { types } from '@slack/bolt';
import { z } from 'zod';

const destination = z.object({
  channel: z.string(),
  threadTs: z.string().optional(),
  hasThread: z.boolean().optional(),
  /** The response URL, for conversations that the bot is not a member of. `expiresAt` is epoch milliseconds. */
  response: z.object({ url: z.string(), expiresAt: z.number() }).optional(),
});

/** Where a modal was opened, and where its answer goes. Every modal of a message has at least the channel. */
export type ModalDestination = z.infer<typeof destination>;

/** The view with its destination as metadata, because Slack does not say where a modal was opened. */
export function withDestination(view: types.ModalView, opened: ModalDestination): types.ModalView {
  return { ...view, private_metadata: JSON.stringify(opened) };
}

/** The destination of a view, if it has one. */
export function destinationOfView(
  view: { readonly private_metadata?: string } | undefined,
): ModalDestination | undefined {
  try {
    return destination.safeParse(JSON.parse(view?.private_metadata ?? '')).data;
  } catch {
    return undefined;
  }
}
