import { compare } from './compare.ts';
import { lookup, readLookup } from './lookup.ts';
import type { ParsedCommand, Subcommand } from './subcommand.ts';
import { tokensOf } from './tokens.ts';

/** The help. Phones turn two dashes into one long dash. */
const help: Subcommand = {
  words: ['help', '--help', '—help', '-h', '?'],
  forms: [{ form: 'help', gives: 'this list' }],
  read: () => ({ kind: 'usage' }),
};

/** The bot's status, for its admins. */
const status: Subcommand = {
  words: ['status'],
  forms: [{ form: 'status', gives: 'how the bot is; for its admins only', isForAdmins: true }],
  // With more words it is a request that the lookup explains.
  read: (tokens) => (tokens.length === 0 ? { kind: 'status' } : undefined),
};

/** Everything that the command can do: read by the parser, by the usage message and by the tests. */
export const SUBCOMMANDS: readonly Subcommand[] = [lookup, compare, help, status];

/** The most characters of a text that is read; a command is one line, and Slack cuts a message at 40,000. */
export const LONGEST_TEXT = 4_000;
const TOO_LONG = 'This text is too long. Type one snapshot id, or paste one link.';

/** Reads the text of a command, with whatever spaces, quotes and case; whoever asks for help anywhere in it gets help. */
export function parseCommand(text: string): ParsedCommand {
  if (text.length > LONGEST_TEXT) return { kind: 'usage', problem: TOO_LONG };
  const tokens = tokensOf(text, help.words);
  const [first, ...rest] = tokens;
  if (first === undefined || tokens.some(({ word }) => help.words.includes(word))) return { kind: 'usage' };
  const named = SUBCOMMANDS.find(({ words }) => words.includes(first.word));
  return named?.read(rest) ?? readLookup(tokens);
}
