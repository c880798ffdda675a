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
};

/** A modal with these blocks. */
export function modal(frame: ModalFrame, blocks: types.KnownBlock[]): types.ModalView {
  const { title, callbackId, submit, close = 'Close' } = frame;
  return {
    type: 'modal',
    ...(callbackId !== undefined && { callback_id: callbackId }),
    title: plain(shorten(title, LIMITS.modalTitle)),
    ...(submit !== undefined && { submit: plain(submit) }),
    close: plain(close),
    blocks,
  };
}

/** A modal with a notice in mrkdwn; text from other systems in it must be inert. */
export function noticeModal(mrkdwn: string): types.ModalView {
  return modal({ title: 'Snapshot' }, [
    { type: 'section', text: { type: 'mrkdwn', text: mrkdwn, verbatim: true } },
  ]);
}
