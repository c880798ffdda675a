import { LONGEST_TEXT, parseCommand } from './parse-command.ts';
import { parseSpoken } from './sentences.ts';
import type { ParsedCommand } from './subcommand.ts';
import { isCourtesy } from './tokens.ts';

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

/** What a mention asks for: a command, or nothing (`quiet`) because it only talks about the bot. */
type ParsedMention = ParsedCommand | { readonly kind: 'quiet' };

const WORDS = /\S+/g;
const LETTERS = /\p{L}+/gu;
/** The most words of a mention that addresses the bot; sentences about it are longer. */
const FEW_WORDS = 3;
/** A number that may be an id, or a mistyped one. */
const LIKE_AN_ID = /\d{5,}/;
const SEEN_BY_ALL =
  'Everyone sees the answer to a mention. To read a result in private, type the command with “me”, or send me the id directly.';
const ANY_IDS = ['1', '2'];
/** Words of somebody who has a snapshot in mind and does not name it, and of somebody who asks about one. */
const ASKS = /\b(?:check|show|diagnose|analy[sz]e|look (?:up|at))\b/i;
const ABOUT_SNAPSHOTS = /\bsnapshots?\b/i;
const WHICH = 'Which snapshot? Mention me with its id.';

/**
 * Reads a message that mentions the bot: the grammar of the command, the mention wherever it stands. What can't be
 * understood is a near miss when it holds something like an id, or is short and addresses the bot; else it is no
 * request at all. Nobody asks in a text longer than `LONGEST_TEXT`: it is not read.
 */
export function parseMention(text: string, botUser: string): ParsedMention {
  if (text.length > LONGEST_TEXT) return { kind: 'quiet' };
  const rest = withoutMention(text, botUser).trim();
  const parsed = parseSpoken(rest);
  if (parsed.kind === 'lookup' && parsed.isForMe) return { kind: 'usage', problem: SEEN_BY_ALL };
  if (parsed.kind !== 'usage') return parsed;
  if (isOnlyPolite(rest)) return { kind: 'quiet' };
  const count = rest.match(WORDS)?.length ?? 0;
  // In a longer sentence “help” is a word like others.
  if (parsed.problem === undefined && count < FEW_WORDS) return parsed;
  const isAddressed = startsWithMention(text, botUser);
  if (parsed.offers !== undefined) return parsed;
  if (isAddressed && asks(rest) && !ID_OR_LINK.test(rest)) return { kind: 'usage', problem: WHICH };
  const isNear = LIKE_AN_ID.test(rest) || (isAddressed && count <= FEW_WORDS && isOfTheGrammar(rest));
  return isNear ? parsed : { kind: 'quiet' };
}

function asks(rest: string): boolean {
  return ASKS.test(rest) || (rest.endsWith('?') && ABOUT_SNAPSHOTS.test(rest));
}

function isOnlyPolite(rest: string): boolean {
  const words = rest.toLowerCase().match(LETTERS) ?? [];
  return words.length > 0 && words.every((word) => isCourtesy({ word }));
}

/** Whether the words belong to the grammar, though they form no command yet. */
function isOfTheGrammar(rest: string): boolean {
  if (ID_OR_LINK.test(rest)) return true;
  return [`${ANY_IDS[0]} ${rest}`, `${rest} ${ANY_IDS.join(' ')}`].some((completed) => {
    const parsed = parseCommand(completed);
    return parsed.kind === 'lookup' && parsed.search === undefined;
  });
}
