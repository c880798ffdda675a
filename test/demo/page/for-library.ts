import { record, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';

const LINK = /<(https?:[^|>]+)(?:\|([^>]*))?>/g;
const COLON_LOOKALIKE = '\u2236';
/** Nobody sees it, and a bracket before it opens no mention and no link. */
const WORD_JOINER = '\u2060';

/**
 * Blocks such that `slack-blocks-to-jsx` shows what Slack would show. It reads markup and emoji in plain text too,
 * takes two colons in a link's label for an emoji, and shows verbatim text without any markup, where Slack leaves out
 * the automatic links only. It takes an escaped mention for a mention, and begins the name of a day with a capital
 * letter in the middle of a sentence, too.
 */
export function forLibrary(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => record(rewritten(plainSection(block))));
}

/** In rich text nothing is markup. */
function plainSection(block: Json): Json {
  const text = record(block.text);
  if (block.type !== 'section' || text.type !== 'plain_text' || block.fields !== undefined) return block;
  const words = { type: 'text', text: string(text.text) };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [words] }] };
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== 'object' || value === null) return value;
  const { verbatim: _misread, ...fields } = record(value);
  if (fields.type === 'date')
    return { ...fields, format: withSmallDay(string(fields.format), Number(fields.timestamp)) };
  if (fields.type === 'mrkdwn')
    return { ...fields, text: withSmallDays(withPlainLabels(withInertBrackets(string(fields.text)))) };
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, rewritten(inner)]));
}

const DAY_MS = 24 * 3_600_000;
const NEAR_DAYS = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
]);

/** `timestamp` is in seconds. */
function withSmallDay(format: string, timestamp: number): string {
  const [day, today] = [new Date(timestamp * 1_000), new Date()].map((at) => at.setHours(0, 0, 0, 0));
  // A day on which the clocks change has not 24 hours.
  const near = NEAR_DAYS.get(Math.round(((day ?? 0) - (today ?? 0)) / DAY_MS));
  return near === undefined ? format : format.replace(/(?<=\S.*)\{date\w*_pretty\}/, near);
}

function withSmallDays(mrkdwn: string): string {
  return mrkdwn.replace(
    /<!date\^(\d+)\^([^|>^]*)/g,
    (_date, timestamp, format) => `<!date^${timestamp}^${withSmallDay(format, Number(timestamp))}`,
  );
}

function withInertBrackets(mrkdwn: string): string {
  return mrkdwn.replaceAll('&lt;', `<${WORD_JOINER}`);
}

function withPlainLabels(mrkdwn: string): string {
  return mrkdwn.replace(
    LINK,
    (_link, url: string, label = url) => `<${url}|${label.replaceAll(':', COLON_LOOKALIKE)}>`,
  );
}
