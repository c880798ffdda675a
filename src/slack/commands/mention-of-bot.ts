/** Every mention of this user, as Slack writes it in a message: `<@U…>` or `<@U…|name>`. */
function mentionOf(user: string): RegExp {
  return new RegExp(`<@${user}(?:\\|[^<>]*)?>`, 'g');
}

/** The text with a space in place of each mention of the bot. Takes time in proportion to the text. */
export function withoutMention(text: string, botUser: string): string {
  return text.replace(mentionOf(botUser), ' ');
}

/** Whether the first thing that the text says is the bot's name. */
export function startsWithMention(text: string, botUser: string): boolean {
  return text.trimStart().search(mentionOf(botUser)) === 0;
}

const ID_OR_LINK = /\d|<https?:/;
/** Where whoever asks has named a snapshot. */
const READ_AT_MOST = 500;

/** Whether a mention could ask for something, by a look at its start: it is not parsed for whom is refused. */
export function mayBeARequest(text: string, botUser: string): boolean {
  return ID_OR_LINK.test(withoutMention(text.slice(0, READ_AT_MOST), botUser));
}
