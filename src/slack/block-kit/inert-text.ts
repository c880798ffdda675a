/** Options of every message: Slack must not turn texts into links or channels by itself. */
export const INERT = { parse: 'none', link_names: false } as const;

/** Slack escapes only these three (https://docs.slack.dev/messaging/formatting-message-text). */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const ESCAPED = /[&<>]/g;
/** Other markup of Slack cannot be escaped, so its characters are replaced by look-alikes without a meaning. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', '@': '＠' };
const MARKUP = /[*_~`@]/g;
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
    .replace(ESCAPED, (character) => ESCAPES[character] ?? character)
    .replace(MARKUP, (character) => LOOK_ALIKES[character] ?? character)
    .replace(SCHEME, ':\u2060//')
    .replace(PICTURE, ':\u2060');
}
