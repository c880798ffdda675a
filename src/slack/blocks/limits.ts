/** Slack's limits (https://docs.slack.dev/reference/block-kit/blocks), in characters or items; the bot's own say "Ours". */
export const LIMITS = {
  /** For all blocks of one message: 13,200 characters of text, as measured. Counting the whole JSON is stricter. */
  messageJson: 12_000,
  /** UTF-8 bytes: chat.update refuses more than 4,000. Ours for every text, so that any message can be edited. */
  text: 3_900,
  /** Ours, in UTF-8 bytes: how much is sent of a text that Slack refused for its length. */
  briefText: 600,
  header: 150,
  buttonText: 75,
  buttonUrl: 3_000,
  optionText: 75,
  blockId: 255,
  modalTitle: 24,
  /** The value of a text input in a modal. */
  inputText: 3_000,
  /** Ours: what a text element carries; a section may have 3,000. */
  textElement: 2_800,
  /** Ours: the longest name of anything in a line. */
  name: 100,
} as const;

/** How much of `messageJson` a block takes: Slack counts `&`, `<` and `>` in their escaped form. */
export function weigh(part: unknown): number {
  return JSON.stringify(part).replace(ESCAPED, '&amp;').length;
}

/** The text if it fits, else its start with an ellipsis: at most `max` UTF-16 units, and no half of a code point. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, codePointEnd(text, max - 1)).trimEnd()}…`;
}

/** The last index up to `max` that is not within a code point. */
function codePointEnd(text: string, max: number): number {
  return (text.codePointAt(max - 1) ?? 0) > 0xffff ? max - 1 : max;
}

/** The length of a text in UTF-8 bytes, escaped, as Slack counts it. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

const encoder = new TextEncoder();
/** An escape that the end of a text cut. */
const CUT_ESCAPE = /&[a-z]{0,3}$/;

/** The mrkdwn text if it fits, else its start: at most `max` UTF-8 bytes, and no part of a code point, escape or mention. */
export function fitText(text: string, max: number): string {
  if (bytesOf(text) <= max) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(max - bytesOf('…')));
  const start = text.slice(0, read);
  const open = start.lastIndexOf('<');
  const whole = open > start.lastIndexOf('>') ? start.slice(0, open) : start.replace(CUT_ESCAPE, '');
  return `${whole.trimEnd()}…`;
}

/** The whole text in pieces of at most `max` UTF-16 units, cut at line ends or spaces where there are some near. */
export function pieces(text: string, max: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const gaps = ['\n', ' '].map((gap) => rest.lastIndexOf(gap, max - 1) + 1);
    const end = gaps.find((gap) => gap > max / 2) ?? codePointEnd(rest, max);
    found.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest === '' ? found : [...found, rest];
}

/** Options of every message: Slack must not turn texts into links or channels by itself. */
export const INERT = { parse: 'none', link_names: false } as const;

/** Slack escapes three of these (https://docs.slack.dev/messaging/formatting-message-text); the others get look-alikes. */
const STAND_INS: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', '@': '＠' },
};
const ESCAPED = /[&<>]/g;
const MARKUP = /[&<>*_~`@]/g;
/** A scheme makes a text a link; a word joiner inside it prevents that. */
const SCHEME = /:\/\//g;
/** `:name:` would become a picture. */
const PICTURE = /:(?=[\w+'-]+:)/g;

/** Direction marks: invisible, but they reorder the text around them and mislead readers. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text as it may be sent to Slack: without broken surrogate pairs and direction marks. */
export function visible(text: string): string {
  return text.toWellFormed().replace(DIRECTIONS, '');
}

/** Text from other systems, made safe for a message's `text`, where markup, links and mentions work. */
export function inert(text: string): string {
  return visible(text)
    .replace(MARKUP, (character) => STAND_INS[character] ?? character)
    .replace(SCHEME, ':\u2060//')
    .replace(PICTURE, ':\u2060');
}
