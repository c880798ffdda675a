import { isRecord } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';

/** The kind of a message of the bot, for the person who asked. */
export type Meaning = 'waiting' | 'result' | 'other';

const WAITING = /is still being processed/;
/** The text of a window that still loads. */
const READING = 'Reading the result…';
/** The button below a waiting message. */
const CANCEL = '"action_id":"cancel"';

/** Distinguishes results, waits and everything else: faults, timeouts and the usage message. */
export function meaningOf({ text, blocks }: Pick<VisibleMessage, 'text' | 'blocks'>): Meaning {
  // A message about several snapshots can show some results while others are still processed.
  if (JSON.stringify(blocks).includes(CANCEL)) return 'waiting';
  // Only results have a header, and only a window with hits has an input. A text of the service that looks like a wait
  // is thus no wait.
  if (blocks.some(({ type }) => type === 'header' || type === 'input')) return 'result';
  if (JSON.stringify(blocks).includes(READING)) return 'waiting';
  return WAITING.test(text) ? 'waiting' : 'other';
}

/** The text of a message for a terminal. A window has no such text, so all texts in its blocks are joined. */
export function asText({ text, blocks }: Pick<VisibleMessage, 'text' | 'blocks'>): string {
  const said = text === '' ? textsIn(blocks).join('\n') : text;
  return said.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isRecord(value)) return [];
  return typeof value.text === 'string' ? [value.text] : Object.values(value).flatMap(textsIn);
}
