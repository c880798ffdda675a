import { compare } from './compare.ts';
import { lookup, readLookup } from './lookup.ts';
import { asTyped, nearTo, offerOf } from './near-words.ts';
import type { Offer, ParsedCommand, Subcommand } from './subcommand.ts';
import { unwatch, watch } from './subcommand.ts';
import { echoOf, type Token, tokensOf } from './tokens.ts';

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
export const SUBCOMMANDS: readonly Subcommand[] = [lookup, compare, watch, unwatch, help, status];

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
  return named?.read(rest) ?? slipOf(first, rest) ?? readLookup(tokens);
}

const SLIPS: ReadonlySet<string> = new Set(['compare', 'help']);

/** What to ask where the first word is nearly that of a subcommand, and what follows belongs to that. */
function slipOf(first: Token, rest: readonly Token[]): ParsedCommand | undefined {
  const word = nearTo(first, SLIPS);
  const meaning = (form: string, offer: Offer): ParsedCommand => ({
    kind: 'usage',
    problem: `“${echoOf(first)}” is not a snapshot id.`,
    meant: { form },
    offers: [offer],
  });
  if (word === 'help' && rest.length === 0) return meaning('help', { label: 'help', asked: 'help' });
  const parsed = word === 'compare' ? compare.read(rest) : undefined;
  if (parsed?.kind === 'usage') return parsed.offers || hasTwoIds(rest) ? parsed : undefined;
  if (parsed?.kind !== 'lookup') return undefined;
  const { kind: _kind, ...asked } = parsed;
  const form = ['compare', ...rest.map(asTyped)].join(' ');
  return meaning(form, offerOf(form, asked));
}

function hasTwoIds(tokens: readonly Token[]): boolean {
  return tokens.filter(({ snapshotId }) => snapshotId !== undefined).length > 1;
}
