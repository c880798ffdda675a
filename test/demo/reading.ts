import { isRecord } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';

/** What a message of the bot is to the person who asked. */
export type Meaning = 'waiting' | 'result' | 'other';

const WAITING = /is still being processed/;
/** What a window says first. */
const READING = 'Reading the result…';
/** What can be pressed below a message that waits. */
const CANCEL = '"action_id":"cancel"';

/** Tells a result from a wait, and both from everything else: faults, time-outs, the usage. */
export function meaningOf({ text, blocks }: Pick<VisibleMessage, 'text' | 'blocks'>): Meaning {
  // What is known of several snapshots is shown while it waits for the others.
  if (JSON.stringify(blocks).includes(CANCEL)) return 'waiting';
  // Only results have a header, and only a window that lists hits has a field: what the service says can't pass for a wait.
  if (blocks.some(({ type }) => type === 'header' || type === 'input')) return 'result';
  if (JSON.stringify(blocks).includes(READING)) return 'waiting';
  return WAITING.test(text) ? 'waiting' : 'other';
}

/** What a message says, for a terminal: the text beside its blocks, or of a window, which has none, all texts in it. */
export function asText({ text, blocks }: Pick<VisibleMessage, 'text' | 'blocks'>): string {
  const said = text === '' ? textsIn(blocks).join('\n') : text;
  return said.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isRecord(value)) return [];
  return typeof value.text === 'string' ? [value.text] : Object.values(value).flatMap(textsIn);
}
