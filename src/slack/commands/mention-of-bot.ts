/** Every mention of this user, as Slack writes it in a message: `<@U…>` or `<@U…|name>`. */
function mentionOf(user: string): RegExp {
  return new RegExp(`<@${user}(?:\\|[^<>]*)?>`, 'g');
}

/** The text with a space in place of each mention of the bot. Takes time in proportion to the text. */
export function withoutMention(text: string, botUser: string): string {
  return text.replace(mentionOf(botUser), ' ');
}

/** Whether the text begins with a mention of the bot. */
export function startsWithMention(text: string, botUser: string): boolean {
  return text.trimStart().search(mentionOf(botUser)) === 0;
}

const ID_OR_LINK = /\d|<https?:/;
/** How much of a text is searched for an id. */
const READ_AT_MOST = 500;

/**
 * Whether the beginning of a mention could hold a request. It decides whether a refused person is told so, without
 * parsing.
 */
export function mayBeARequest(text: string, botUser: string): boolean {
  return ID_OR_LINK.test(withoutMention(text.slice(0, READ_AT_MOST), botUser));
}
