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

/** Text from elsewhere, made safe for a message's `text`, where markup, links and mentions would work. */
export function inert(text: string): string {
  return text
    .replace(ESCAPED, (character) => ESCAPES[character] ?? character)
    .replace(MARKUP, (character) => LOOK_ALIKES[character] ?? character)
    .replace(SCHEME, ':\u2060//')
    .replace(PICTURE, ':\u2060');
}
