import { isIP } from 'node:net';
import type { types } from '@slack/bolt';
import { z } from 'zod';
import {
  readCarried,
  readState,
  stateValue,
  UnreadableValue,
  type View,
  type ViewState,
} from './action-values.ts';
import { plain, richText, words } from './blocks.ts';
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

/** Asks for one of some choices, by what they send. The input has a block of the same name. */
export function radios<C extends string>(
  id: string,
  label: string,
  choices: Readonly<Record<C, string>>,
  initial: NoInfer<C>,
): types.InputBlock {
  const option = (value: C) => ({ text: plain(choices[value]), value });
  const options = (Object.keys(choices) as C[]).map(option);
  const element = { type: 'radio_buttons', action_id: id, options, initial_option: option(initial) } as const;
  return { type: 'input', block_id: id, label: plain(label), element };
}

/**
 * The title of a window about a result: `26808463 · edge-7`, or without the device where a title has no room for it.
 * `host`: the name of the device; '' where it is not known.
 */
export function windowTitle({ question, others, before }: View, host: string): string {
  if (others !== undefined) return `${others.length + 1} snapshots`;
  const id = question.snapshotId;
  const ids = before === undefined ? id : `${before.snapshotId} → ${id}`;
  const [first = ''] = isIP(host) === 0 ? host.split('.') : [host];
  const whole = `${ids} · ${first}`;
  if (first !== '' && whole.length <= LIMITS.modalTitle) return whole;
  return shorten(before === undefined ? `Snapshot ${id}` : ids, LIMITS.modalTitle);
}

/** A window with that title; its own, which says what it is for, becomes its first line, with the whole name of the device. */
export function titled(window: types.ModalView, view: View, host: string): types.ModalView {
  const title = windowTitle(view, host);
  const purpose = window.title.text;
  const of = host === '' ? [] : [words(` · ${shorten(host, LONGEST_HOST)}`)];
  const line = [richText([words(purpose, { bold: true }), ...of])];
  const blocks = purpose === title || purpose === NOTICE ? window.blocks : [...line, ...window.blocks];
  return { ...window, title: plain(title), blocks };
}

const LONGEST_HOST = 100;
/** The title of a window that has no purpose of its own. */
const NOTICE = 'Snapshot';

/** A modal with a notice in mrkdwn; text from other systems in it must be inert. */
export function noticeModal(mrkdwn: string): types.ModalView {
  return modal({ title: NOTICE }, [
    { type: 'section', text: { type: 'mrkdwn', text: mrkdwn, verbatim: true } },
  ]);
}

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

/** The metadata of a modal that was opened from a message: which message, its state, and how to change it. */
export type MessageModal = {
  readonly origin: Origin;
  readonly state: ViewState;
  /** The response URL of the click that opened it. `expiresAt` is epoch milliseconds. */
  readonly response: { readonly url: string; readonly expiresAt: number };
  /** Whether the message is ephemeral. */
  readonly isPrivate: boolean;
  /** The name of the device; '' where the message does not say it. */
  readonly host: string;
};

const shape = z.object({
  message: z.string().optional(),
  state: z.string(),
  private: z.boolean(),
  host: z.string(),
});

/** The metadata as text. The guard also reads the conversation from it. */
export function messageModalValue({ origin, state, response, isPrivate, host }: MessageModal): string {
  const { channel, messageTs: message, threadTs } = origin;
  return JSON.stringify({
    channel,
    message,
    threadTs,
    response,
    state: stateValue(state),
    private: isPrivate,
    host,
  });
}

/** Throws `UnreadableValue` if the view is not a modal of a message. */
export function readMessageModal(
  view: { readonly private_metadata?: string } | undefined,
): MessageModal & { readonly origin: Origin } {
  const opened = destinationOfView(view);
  if (opened?.response === undefined) throw new UnreadableValue();
  const { message, state, private: isPrivate, host } = readCarried(shape, view?.private_metadata);
  const { channel, threadTs, response } = opened;
  const origin = {
    channel,
    ...(message === undefined ? {} : { messageTs: message }),
    ...(threadTs === undefined ? {} : { threadTs }),
  };
  return { origin, state: readState(state), response, isPrivate, host };
}

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
