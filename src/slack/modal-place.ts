import type { types } from '@slack/bolt';
import { z } from 'zod';

const place = z.object({
  channel: z.string(),
  threadTs: z.string().optional(),
  /** The way to answer where the bot is no member. `expiresAt` is epoch milliseconds. */
  response: z.object({ url: z.string(), expiresAt: z.number() }).optional(),
});

/** Where a modal was opened from, and where its answer goes. Every modal of a message carries at least the channel. */
export type ModalPlace = z.infer<typeof place>;

/** The view, with its place: Slack does not say by itself where a modal was opened. */
export function withPlace(view: types.ModalView, opened: ModalPlace): types.ModalView {
  return { ...view, private_metadata: JSON.stringify(opened) };
}

/** Where the view was opened from, if it says so. */
export function placeOfView(
  view: { readonly private_metadata?: string } | undefined,
): ModalPlace | undefined {
  try {
    return place.safeParse(JSON.parse(view?.private_metadata ?? '')).data;
  } catch {
    return undefined;
  }
}
