import { startsWithMention, withoutMention } from './mention-of-bot.ts';
import { LONGEST_TEXT, parseCommand } from './parse-command.ts';
import { parseSpoken } from './parse-spoken.ts';
import type { ParsedCommand } from './subcommands/subcommand.ts';
import { isCourtesy } from './subcommands/tokens.ts';

/** What a mention asks for: a command, or nothing (`quiet`) because it only talks about the bot. */
type ParsedMention = ParsedCommand | { readonly kind: 'quiet' };

const WORDS = /\S+/g;
const LETTERS = /\p{L}+/gu;
/** The most words of a mention that addresses the bot; sentences about it are longer. */
const FEW_WORDS = 3;
/** A number that may be an id, or a mistyped one. */
const LIKE_AN_ID = /\d{5,}/;
const DIGIT_OR_LINK = /\d|<https?:/;
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
  // In a longer sentence "help" and "?" are words like others.
  if (parsed.problem === undefined && count < FEW_WORDS) return parsed;
  const isAddressed = startsWithMention(text, botUser);
  if (parsed.offers !== undefined) return parsed;
  if (isAddressed && asks(rest) && !DIGIT_OR_LINK.test(rest)) return { kind: 'usage', problem: WHICH };
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
  if (DIGIT_OR_LINK.test(rest)) return true;
  return [`${ANY_IDS[0]} ${rest}`, `${rest} ${ANY_IDS.join(' ')}`].some((completed) => {
    const parsed = parseCommand(completed);
    return parsed.kind === 'lookup' && parsed.search === undefined;
  });
}
