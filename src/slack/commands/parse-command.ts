import { compare } from './compare.ts';
import { lookup, readLookup } from './lookup.ts';
import { asTyped, nearTo, offering } from './near-words.ts';
import { type ParsedCommand, type Subcommand, unwatch, watch } from './subcommand.ts';
import { echoOf, isSentence, type Token, tokensOf } from './tokens.ts';

/** The help. Phones turn two dashes into one long dash. */
const help: Subcommand = {
  words: ['help', '--help', '—help', '-h'],
  forms: [{ form: 'help', gives: 'this list' }],
  read: (tokens) => (isAbout(tokens) ? undefined : { kind: 'usage' }),
};

/** The bot's status, for its admins. */
const status: Subcommand = {
  words: ['status'],
  forms: [{ form: 'status', gives: 'how the bot is; for its admins only', isForAdmins: true }],
  // With more words it is a request that the lookup explains.
  read: (tokens) => (tokens.length === 0 ? { kind: 'status' } : undefined),
};

/** Everything that the command can do: read by the parser, by the usage message and by the tests. */
export const SUBCOMMANDS: readonly Subcommand[] = [lookup, compare, watch, unwatch, help, status];

/** The most characters of a text that is read; a command is one line, and Slack cuts a message at 40,000. */
export const LONGEST_TEXT = 4_000;
const TOO_LONG = 'This text is too long. Type one snapshot id, or paste one link.';

/**
 * Reads the text of a command, with whatever spaces, quotes and case; whoever asks for help anywhere in it gets help,
 * unless it is a sentence about a snapshot.
 */
export function parseCommand(text: string): ParsedCommand {
  if (text.length > LONGEST_TEXT) return { kind: 'usage', problem: TOO_LONG };
  const tokens = tokensOf(text, help.words);
  const [first, ...rest] = tokens;
  const isForHelp = tokens.some(({ word }) => help.words.includes(word)) && !isAbout(tokens);
  if (first === undefined || isForHelp) return { kind: 'usage' };
  const named = SUBCOMMANDS.find(({ words }) => words.includes(first.word));
  return named?.read(rest) ?? slipOf(first, rest) ?? readLookup(tokens);
}

/** Whether it is a sentence about a snapshot, in which “help” is a word like others. */
function isAbout(tokens: readonly Token[]): boolean {
  const hasId = tokens.some(({ snapshotId }) => snapshotId !== undefined);
  return hasId && isSentence(tokens.map(({ word }) => word).join(' '));
}

const SLIPS: ReadonlySet<string> = new Set(SUBCOMMANDS.flatMap(({ words }) => words));

/** What to ask where the first word is nearly that of a subcommand, and what follows belongs to that. */
function slipOf(first: Token, rest: readonly Token[]): ParsedCommand | undefined {
  const word = nearTo(first, SLIPS);
  if (word === undefined || (help.words.includes(word) && rest.length > 0)) return undefined;
  const parsed = SUBCOMMANDS.find(({ words }) => words.includes(word))?.read(rest);
  const hasId = rest.some(({ snapshotId }) => snapshotId !== undefined);
  if (parsed?.kind === 'usage' && parsed.problem !== undefined) return hasId ? parsed : undefined;
  const form = [word, ...rest.map(asTyped)].join(' ');
  return parsed && { kind: 'usage', problem: `“${echoOf(first)}” is not a snapshot id.`, ...offering(form) };
}
