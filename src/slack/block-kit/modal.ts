import type { types } from '@slack/bolt';
import { plain } from './blocks.ts';
import { LIMITS, shorten } from './limits.ts';

/** What stands around the blocks of a modal. */
type ModalFrame = {
  readonly title: string;
  /** What Slack sends back with the answer, if the modal asks something. */
  readonly callbackId?: string;
  /** The label of the button that sends the answer. */
  readonly submit?: string;
  /** A modal whose only purpose is its answer is cancelled; any other is closed. */
  readonly close?: 'Cancel';
  /** Comes back with every answer and click. */
  readonly metadata?: string;
};

/** A modal with these blocks. */
export function modal(frame: ModalFrame, blocks: types.KnownBlock[]): types.ModalView {
  const { title, callbackId, submit, close = 'Close', metadata } = frame;
  return {
    type: 'modal',
    ...(callbackId !== undefined && { callback_id: callbackId }),
    ...(metadata !== undefined && { private_metadata: metadata }),
    title: plain(shorten(title, LIMITS.modalTitle)),
    ...(submit !== undefined && { submit: plain(submit) }),
    close: plain(close),
    blocks,
  };
}
