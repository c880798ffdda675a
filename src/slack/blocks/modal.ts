import { isIP } from 'node:net';
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Asked } from '../../core/lookup.ts';
import { readCarried } from './action-values.ts';
import { bold, option, plain, present, richText, words } from './blocks.ts';
import { LIMITS, shorten } from './limits.ts';

/** The title and the buttons of a window. Set `close` only for a form; the default is `Close`. */
type ModalFrame = { title: string; callbackId?: string; submit?: string; close?: 'Cancel' };

/** A window with these blocks. */
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

/** An input of a form. Its block has the id `block`, or the same id as the input. */
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

/** Radio buttons. The keys of `choices` are the values that Slack sends. */
export function radios<C extends string>(
  choices: Record<C, string>,
  initial: NoInfer<C>,
): types.RadioButtons {
  const choice = (value: C) => option({ label: choices[value], value });
  const options = (Object.keys(choices) as C[]).map(choice);
  return { type: 'radio_buttons', options, initial_option: choice(initial) };
}

/** The host without its domain: `edge-7` for `edge-7.example.com`. An IP address is not shortened. */
export function shortHost(host: string): string {
  return isIP(host) === 0 ? (host.split('.')[0] ?? '') : host;
}

/** The title of a window about a result, such as `26808463 · edge-7`, without a host that is unknown or too long. */
export function windowTitle({ question, others, before }: Asked, host: string): string {
  if (others !== undefined) return `${others.length + 1} snapshots`;
  const id = question.snapshotId;
  const ids = before === undefined ? id : `${before.snapshotId} → ${id}`;
  const whole = `${ids} · ${shortHost(host)}`;
  if (host !== '' && whole.length <= LIMITS.modalTitle) return whole;
  return shorten(before === undefined ? `Snapshot ${id}` : ids, LIMITS.modalTitle);
}

/** The title of a window that only shows a notice. */
const NOTICE = 'Snapshot';

/** Adds the snapshot to a window's title (`Follow 1001 · edge-7`). If too long, `Follow` moves to the first line. */
export function titled(window: types.ModalView, view: Asked, host: string): types.ModalView {
  const title = windowTitle(view, host);
  const purpose = window.title.text;
  const both = [NOTICE, title].includes(purpose) ? title : `${purpose} ${title}`;
  if (both.length <= LIMITS.modalTitle) return { ...window, title: plain(both) };
  const of = host && words(` · ${shorten(host, LIMITS.name)}`);
  const line = richText(present(bold(purpose), of));
  return { ...window, title: plain(title), blocks: [line, ...window.blocks] };
}

/** A window with a notice in mrkdwn. Text from other systems in it must be made inert first. */
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

/** The message that opened a window. An ephemeral message has no `messageTs`. */
export type Origin = Readonly<z.infer<typeof origin>>;

/** Reads the metadata of a window. Throws `UnreadableValue` if it names no conversation. */
export function readOrigin(value: string | undefined): Origin {
  return readCarried(origin, value);
}

/** `search`: the search terms of the message, as a person would type them. `state`: see `stateValue`. */
const opened = origin.extend({
  hasThread: z.boolean().exactOptional(),
  response: z.object({ url: z.string(), expiresAt: z.number() }).exactOptional(),
  search: z.string().exactOptional(),
  state: z.string().exactOptional(),
});

/**
 * The metadata of a window: the message that opened it, and where the answer goes, if necessary with the response URL
 * of the click. Slack sends none of this with a form. `expiresAt`: epoch milliseconds.
 */
export type Opened = Readonly<z.infer<typeof opened>>;

/** Reads the metadata of a window; undefined if absent or unreadable. */
export function openedFrom(view?: { private_metadata?: string | undefined }): Opened | undefined {
  try {
    return readCarried(opened, view?.private_metadata);
  } catch {
    return undefined;
  }
}
