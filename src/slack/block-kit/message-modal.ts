import { z } from 'zod';
import { readState, stateValue, type ViewState } from './action-values.ts';
import { readCarried, UnreadableValue } from './carried.ts';
import { destinationOfView } from './modal-destination.ts';
import type { Origin } from './origin-values.ts';

/** The metadata of a modal that was opened from a message: which message, its state, and how to change it. */
export type MessageModal = {
  readonly origin: Origin;
  readonly state: ViewState;
  /** The response URL of the click that opened it. `expiresAt` is epoch milliseconds. */
  readonly response: { readonly url: string; readonly expiresAt: number };
  /** Whether the message is ephemeral. */
  readonly isPrivate: boolean;
};

const shape = z.object({
  message: z.string().optional(),
  state: z.string(),
  private: z.boolean(),
});

/** The metadata as text. The guard also reads the conversation from it. */
export function messageModalValue({ origin, state, response, isPrivate }: MessageModal): string {
  const { channel, messageTs: message, threadTs } = origin;
  return JSON.stringify({
    channel,
    message,
    threadTs,
    response,
    state: stateValue(state),
    private: isPrivate,
  });
}

/** Throws `UnreadableValue` if the view is not a modal of a message. */
export function readMessageModal(
  view: { readonly private_metadata?: string } | undefined,
): MessageModal & { readonly origin: Origin } {
  const opened = destinationOfView(view);
  if (opened?.response === undefined) throw new UnreadableValue();
  const { message, state, private: isPrivate } = readCarried(shape, view?.private_metadata);
  const { channel, threadTs, response } = opened;
  const origin = {
    channel,
    ...(message === undefined ? {} : { messageTs: message }),
    ...(threadTs === undefined ? {} : { threadTs }),
  };
  return { origin, state: readState(state), response, isPrivate };
}
