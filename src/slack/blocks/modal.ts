import { isIP } from 'node:net';
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Asked } from '../../core/lookup.ts';
import { readCarried } from './action-values.ts';
import { bold, option, plain, present, richText, words } from './blocks.ts';
import { LIMITS, shorten } from './limits.ts';

/** What stands around the blocks of a modal. `Cancel` is for a form that has no other purpose than its answer. */
type ModalFrame = { title: string; callbackId?: string; submit?: string; close?: 'Cancel' };

/** A modal with these blocks. */
export function modal(frame: Readonly<ModalFrame>, blocks: types.KnownBlock[]): types.ModalView {
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

/** A field of a form, in a block of the same name or in `block`. */
export function input(
  id: string,
  label: string,
  element: types.InputBlock['element'],
  { block = id, isOptional = false, hint = '' } = {},
): types.InputBlock {
  return {
    ...{ type: 'input', block_id: block, label: plain(label) },
    ...(isOptional && { optional: true }),
    ...(hint !== '' && { hint: plain(hint) }),
    element: { ...{ type: element.type, action_id: id }, ...element },
  };
}

/** Radio buttons. The keys of `choices` are what they send. */
export function radios<C extends string>(
  choices: Record<C, string>,
  initial: NoInfer<C>,
): types.RadioButtons {
  const choice = (value: C) => option({ label: choices[value], value });
  const options = (Object.keys(choices) as C[]).map(choice);
  return { type: 'radio_buttons', options, initial_option: choice(initial) };
}

/** `edge-7` of `edge-7.example.com`; an IP address is whole. */
export function shortHost(host: string): string {
  return isIP(host) === 0 ? (host.split('.')[0] ?? '') : host;
}

/** The title of a window about a result: `26808463 · edge-7`; without the host where that is unknown or too long. */
export function windowTitle({ question, others, before }: Asked, host: string): string {
  if (others !== undefined) return `${others.length + 1} snapshots`;
  const id = question.snapshotId;
  const ids = before === undefined ? id : `${before.snapshotId} → ${id}`;
  const whole = `${ids} · ${shortHost(host)}`;
  if (host !== '' && whole.length <= LIMITS.modalTitle) return whole;
  return shorten(before === undefined ? `Snapshot ${id}` : ids, LIMITS.modalTitle);
}

/** The title of a window that has no purpose of its own. */
const NOTICE = 'Snapshot';

/** A window that says which result it is about: in its title (`Follow 1001 · edge-7`), or with its purpose in the first line. */
export function titled(window: types.ModalView, view: Asked, host: string): types.ModalView {
  const title = windowTitle(view, host);
  const purpose = window.title.text;
  const both = [NOTICE, title].includes(purpose) ? title : `${purpose} ${title}`;
  if (both.length <= LIMITS.modalTitle) return { ...window, title: plain(both) };
  const of = host && words(` · ${shorten(host, LIMITS.name)}`);
  const line = richText(present(bold(purpose), of));
  return { ...window, title: plain(title), blocks: [line, ...window.blocks] };
}

/** A modal with a notice in mrkdwn; text from other systems in it must be inert. */
export function noticeModal(mrkdwn: string): types.ModalView {
  return modal({ title: NOTICE }, [
    { type: 'section', text: { type: 'mrkdwn', text: mrkdwn, verbatim: true } },
  ]);
}

const origin = z.object({
  channel: z.string(),
  messageTs: z.string().exactOptional(),
  threadTs: z.string().exactOptional(),
});

/** The message that a modal was opened from. A private message has no timestamp here. */
export type Origin = Readonly<z.infer<typeof origin>>;

/** Throws `UnreadableValue` if the text has another form. */
export function readOrigin(value: string | undefined): Origin {
  return readCarried(origin, value);
}

/** `search`: what the message there asks about, as typed beside an id. `state`: the state of the message of a result. */
const opened = origin.extend({
  hasThread: z.boolean().exactOptional(),
  response: z.object({ url: z.string(), expiresAt: z.number() }).exactOptional(),
  search: z.string().exactOptional(),
  state: z.string().exactOptional(),
});

/**
 * What a view carries as metadata, because Slack does not send it: where a modal was opened, and where its answer goes,
 * if need be through the response URL of the click. `expiresAt` is epoch milliseconds.
 */
export type Opened = Readonly<z.infer<typeof opened>>;

/** Undefined for a view that carries nothing. */
export function openedFrom(view?: { private_metadata?: string | undefined }): Opened | undefined {
  try {
    return readCarried(opened, view?.private_metadata);
  } catch {
    return undefined;
  }
}
