import { inOrder, MOST_TOGETHER } from '../../core/lookup.ts';
import { composed } from '../../core/texts.ts';
import { lookup, nearest } from './lookup.ts';
import { asTyped, nearTo, offering, type ParsedCommand, type Subcommand } from './near-words.ts';
import { BETWEEN, echoOf, isCourtesy, isSentence, type Token, tokensOf } from './tokens.ts';

const TWO_IDS = 'To compare, type two ids, in any order.';
const TWO_ONLY = 'Only two snapshots can be compared; several stand side by side.';
const LAST_OF_ONE = 'To compare with the device’s last result, type one id: “compare last 26808463”.';
const SAME = 'Both ids are the same snapshot: there is nothing to compare.';

/** Two snapshots: what is new, cleared, or of another importance. */
const compare: Subcommand = {
  words: ['compare', 'diff'],
  forms: [
    {
      form: 'compare 26808463 26808470',
      gives: 'what is new and what is cleared in the later one (the larger id)',
    },
    {
      form: 'compare last 26808463',
      gives: 'what changed since this device was last looked up here',
    },
  ],
  read: readComparison,
};

/** Stands for the device's last result, instead of an id. */
const LAST = 'last';

function readComparison(tokens: readonly Token[]): ParsedCommand {
  const named = tokens.filter((token) => !BETWEEN.includes(token.word) && !isCourtesy(token));
  const [one, other, ...others] = named.flatMap(({ snapshotId }) => snapshotId ?? []);
  const last = named.find(({ word }) => word === LAST);
  if (one !== undefined && last !== undefined && named.length === 2)
    return { kind: 'lookup', question: { snapshotId: one, set: 'hit' }, againstLast: true };
  const unknown = named.find(({ snapshotId }) => snapshotId === undefined);
  const noId = unknown && `“${echoOf(unknown)}” is not a snapshot id.`;
  const problem = last === undefined ? noId : LAST_OF_ONE;
  if (one === undefined) return { kind: 'usage', problem: problem ?? TWO_IDS };
  if (problem !== undefined || other === undefined) {
    const isLast = last !== undefined || other === undefined || other === one;
    const form = isLast ? `compare ${LAST} ${one}` : `compare ${one} ${other}`;
    return { kind: 'usage', problem: problem ?? TWO_IDS, ...offering(form) };
  }
  if (others.length > 0) {
    const ids = new Set([one, other, ...others]);
    return nearest(TWO_ONLY, [...ids].slice(0, MOST_TOGETHER).join(' '));
  }
  if (one === other) return { kind: 'usage', problem: SAME };
  return { kind: 'lookup', ...inOrder({ snapshotId: one, set: 'hit' }, { snapshotId: other, set: 'hit' }) };
}

/** Word of what becomes new in a snapshot. */
const watch: Subcommand = {
  words: ['watch'],
  forms: [
    {
      form: 'watch 26808463',
      gives: 'the hits, and a mention in the thread when critical or high ones change',
    },
  ],
  read: (tokens) => readWatch('watch', tokens),
};

const unwatch: Subcommand = {
  words: ['unwatch'],
  forms: [{ form: 'unwatch 26808463', gives: 'no more of these mentions' }],
  read: (tokens) => readWatch('unwatch', tokens),
};

/** With anything but one id it is asked which one is meant. */
function readWatch(kind: 'watch' | 'unwatch', tokens: readonly Token[]): ParsedCommand {
  const [only, ...more] = tokens.filter((token) => !isCourtesy(token));
  if (only?.snapshotId !== undefined && more.length === 0) return { kind, snapshotId: only.snapshotId };
  const ids = [...new Set(tokens.flatMap(({ snapshotId }) => snapshotId ?? []))].slice(0, MOST_TOGETHER);
  const offers = ids.map((id) => ({ label: `${kind} ${id}`, form: `${kind} ${id}` }));
  const problem = `To ${kind} a snapshot, type one id and nothing else: “${kind} ${ids[0] ?? '26808463'}”.`;
  return { kind: 'usage', problem, ...(ids.length > 0 && { offers }) };
}

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

/** Whether a text is longer than any that is read, as it is or with each sign as the letters that it stands for. */
export function isTooLong(text: string): boolean {
  return text.length > LONGEST_TEXT || composed(text).length > LONGEST_TEXT;
}

const TOO_LONG = 'This text is too long. Type one snapshot id, or paste one link.';

/**
 * Reads the text of a command, with whatever spaces, quotes and case; whoever asks for help anywhere in it gets help,
 * unless it is a sentence about a snapshot.
 */
export function parseCommand(text: string): ParsedCommand {
  if (isTooLong(text)) return { kind: 'usage', problem: TOO_LONG };
  const tokens = tokensOf(text);
  const [first, ...rest] = tokens;
  const isForHelp = tokens.some(({ word }) => help.words.includes(word)) && !isAbout(tokens);
  if (first === undefined || isForHelp) return { kind: 'usage' };
  const named = SUBCOMMANDS.find(({ words }) => words.includes(first.word));
  return named?.read(rest) ?? slipOf(first, rest) ?? lookup.read(tokens);
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
