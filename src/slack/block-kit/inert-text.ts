/** Sent with every message: nothing in a text becomes a link or a channel by itself. */
export const INERT = { parse: 'none', link_names: false } as const;

/** Slack escapes only these three (https://docs.slack.dev/messaging/formatting-message-text). */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const ESCAPED = /[&<>]/g;
/** The rest of Slack's markup can't be escaped: look-alikes read the same and mean nothing. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', '@': '＠' };
const MARKUP = /[*_~`@]/g;
/** A scheme makes a text a link; a word joiner inside it unmakes it. */
const SCHEME = /:\/\//g;
/** `:name:` would become a picture. */
const PICTURE = /:(?=[\w+'-]+:)/g;

/** Marks that turn the direction of the text around them: a reader can't see them, but is misled by what they do. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text as it is sent to Slack, wherever it is from: half characters and marks of direction never get there. */
export function visible(text: string): string {
  return text.toWellFormed().replace(DIRECTIONS, '');
}

/** Text from elsewhere, made safe for a message's `text`, where markup, links and mentions would work. */
export function inert(text: string): string {
  return visible(text)
    .replace(ESCAPED, (character) => ESCAPES[character] ?? character)
    .replace(MARKUP, (character) => LOOK_ALIKES[character] ?? character)
    .replace(SCHEME, ':\u2060//')
    .replace(PICTURE, ':\u2060');
}
