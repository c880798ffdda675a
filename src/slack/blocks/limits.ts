/** Slack's limits (https://docs.slack.dev/reference/block-kit/blocks), in characters or items. “Ours”: our own limit. */
export const LIMITS = {
  /** All blocks of a message. Slack's measured limit is 13,200 characters of text; counting the whole JSON is stricter. */
  messageJson: 12_000,
  /** Ours, in UTF-8 bytes: `chat.update` refuses more than 4,000, and every message must remain editable. */
  text: 3_900,
  /** Ours, in UTF-8 bytes: the length of the text that replaces a message which Slack refused. */
  briefText: 600,
  header: 150,
  buttonText: 75,
  buttonUrl: 3_000,
  optionText: 75,
  blockId: 255,
  modalTitle: 24,
  /** The value of a text input. */
  inputText: 3_000,
  /** Ours: the text of one element; Slack allows 3,000 in a section. */
  textElement: 2_800,
  /** Ours: the longest name within a line. */
  name: 100,
} as const;

/** How much of `messageJson` a block uses. Slack counts `&`, `<` and `>` in their escaped form. */
export function weigh(part: unknown): number {
  return JSON.stringify(part).replace(ESCAPED, '&amp;').length;
}

/** Cuts a text to `max` UTF-16 units, including an ellipsis, without splitting a code point. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, codePointEnd(text, max - 1)).trimEnd()}…`;
}

/** The last index up to `max` that does not split a code point. */
function codePointEnd(text: string, max: number): number {
  return (text.codePointAt(max - 1) ?? 0) > 0xffff ? max - 1 : max;
}

/** The length of an escaped text in UTF-8 bytes, as Slack counts it. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

const encoder = new TextEncoder();
/** Matches an escape such as `&amp;` that was cut at the end of a text. */
const CUT_ESCAPE = /&[a-z]{0,3}$/;

/** Cuts a mrkdwn text to `max` UTF-8 bytes, without splitting a code point, an escape or a mention. */
export function fitText(text: string, max: number): string {
  if (bytesOf(text) <= max) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(max - bytesOf('…')));
  const start = text.slice(0, read);
  const open = start.lastIndexOf('<');
  const whole = open > start.lastIndexOf('>') ? start.slice(0, open) : start.replace(CUT_ESCAPE, '');
  return `${whole.trimEnd()}…`;
}

/** Splits a text into pieces of at most `max` UTF-16 units, at a line end or a space if one is near. */
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

/** The options of every message. They stop Slack from turning words into links or channels. */
export const INERT = { parse: 'none', link_names: false } as const;

/** Escapes for Slack (https://docs.slack.dev/messaging/formatting-message-text), and look-alikes of its markup. */
const STAND_INS: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', '@': '＠' },
};
const ESCAPED = /[&<>]/g;
const MARKUP = /[&<>*_~`@]/g;
/** Slack shows a URL as a link unless a word joiner splits its `://`. */
const SCHEME = /:\/\//g;
/** Matches the start of `:name:`, which Slack would show as an emoji. */
const PICTURE = /:(?=[\w+'-]+:)/g;

/** Invisible direction marks. They can reorder the text around them, and so mislead readers. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes direction marks and replaces broken surrogate pairs. */
export function visible(text: string): string {
  return text.toWellFormed().replace(DIRECTIONS, '');
}

/** Makes text from other systems safe for a message's `text`, where markup, links and mentions work. */
export function inert(text: string): string {
  return visible(text)
    .replace(MARKUP, (character) => STAND_INS[character] ?? character)
    .replace(SCHEME, ':\u2060//')
    .replace(PICTURE, ':\u2060');
}
