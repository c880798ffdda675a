import type { DiagnosticSet, SnapshotId } from '../../core/diagnostics.ts';
import { type Filter, LEVEL_GROUPS } from '../../core/importance.ts';
import { type Asked, inOrder, MOST_TOGETHER, withSearch } from '../../core/lookup.ts';
import { isTooMuch, type Search, searchFor, searchText } from '../../core/searching.ts';
import { hasRoomFor } from '../blocks/action-values.ts';
import { shorten } from '../blocks/limits.ts';
import { type Reading, readText } from './ids.ts';
import type { Hosts } from './links.ts';
import { commandWord, isSought } from './words.ts';

/**
 * What a text asks for: one variant for each kind. A lookup with `isForMe` is shown to the asker alone. `usage` asks
 * for help, or has a `problem`: one sentence that says what to type instead.
 */
export type ParsedCommand =
  | ({ readonly kind: 'lookup'; readonly isForMe?: true } & Asked)
  | { readonly kind: 'status' | 'devices' }
  | { readonly kind: 'watch' | 'unwatch'; readonly snapshotId: SnapshotId }
  | { readonly kind: 'usage'; readonly problem?: string; readonly named?: Named };

/** Perhaps the name of a device, and what is asked of its snapshot: what follows an id in a command. */
export type Named = { readonly name: string; readonly rest: string };

/** What the command can do, for its help: what follows the command's name, and what that gives. */
export const FORMS = [
  ['26808463', 'the hits: the known issues that match this device'],
  ['26808463 miss', 'only the checks that passed'],
  [
    '26808463 critical',
    'only the critical hits; also high, medium, low, cve, exploited, or several of these',
  ],
  [
    '26808463 CVE-2026-10000',
    'whether this was found; also articles (K…), hits or checks (D…, H…), or several',
  ],
  ['26808463 tmm “core dump”', 'the hits and checks that mention all of these words'],
  ['26808463 26808470', 'up to 8 side by side, also with the words above; two of one device: what changed'],
  ['26808463 me', 'the result in a window that only you see; nothing is posted'],
  ['compare 26808463 26808470', 'what is new and what is cleared in the later one (the larger id)'],
  ['compare last 26808463', 'what changed since this device was last looked up here'],
  ['watch 26808463', 'the hits, and a mention in the thread when critical or high ones change'],
  ['unwatch 26808463', 'no more of these mentions'],
  ['devices', 'your devices, the worst first, and one search for all; only you see them'],
  ['edge-7', 'the newest snapshot in your list of the device with that name or serial number'],
  ['compare last edge-7', 'what changed on that device; the words above go with a name, too'],
  ['help', 'this list'],
] as const;
/** The same, for admins of the bot. */
export const STATUS_FORM = ['status', 'how the bot is; for its admins only'] as const;

const TOO_MANY = `At most ${MOST_TOGETHER} snapshots fit in one answer.`;
const TOO_MUCH_TOGETHER = 'That’s too much for one answer: name fewer snapshots, or search for less.';
const SEARCH_TOO_LONG = 'That’s too much to search for: use at most 8 words and about 70 characters.';
const TWO_IDS = 'To compare, type two ids, in any order; or “compare last” and one id.';
const NOT_IN_TWO = 'A comparison shows everything that changed: type only the two ids.';
const ONLY_HITS = 'Only hits can be filtered, not passed checks: leave out “miss”.';
/** For a text without an id, but with a link. */
export const NO_ID_IN_LINK = 'This link names no snapshot: paste its id.';
const LONGEST_ECHO = 60;

/**
 * Reads the text of a command: which snapshots it names, and what the words beside them mean; every other word is searched
 * for. `hosts`: those of the service.
 */
export function parseCommand(text: string, hosts: Hosts): ParsedCommand {
  const reading = readText(text, hosts, true);
  if (reading.ids.length > 0) return understood(reading);
  if (reading.hasOtherLink) return usage(NO_ID_IN_LINK);
  const typed = [...reading.words, ...reading.terms].join(' ').trim();
  if (typed === '') return { kind: 'usage' };
  const problem = `“${shorten(typed, LONGEST_ECHO)}” names no snapshot: type its id.`;
  const named = namedIn(reading);
  return withoutId(reading.words) ?? { kind: 'usage', problem, ...(named && { named }) };
}

const LONGEST_REST = 200;

/** The first word that means nothing else may be the name of a device. */
function namedIn({ words, terms }: Reading): Named | undefined {
  const name = words.find(isSought);
  const others = words.filter((word) => word !== name);
  const rest = [...others, searchText(terms)].join(' ').trim();
  return name === undefined || rest.length > LONGEST_REST ? undefined : { name, rest };
}

/** What words without an id ask for; undefined if they need one. */
export function withoutId(words: readonly string[]): ParsedCommand | undefined {
  const said = words.map(commandWord);
  if (said.includes('help')) return { kind: 'usage' };
  const kind = (['status', 'devices'] as const).find((one) => said.every((word) => word === one));
  return said.length > 0 && kind !== undefined ? { kind } : undefined;
}

/** What is asked of the snapshots that a text names, at least one. */
export function understood({ ids, terms, words }: Reading): ParsedCommand {
  const said = new Set(words.flatMap((word) => commandWord(word) ?? []));
  const search = searchFor([...terms, ...words.filter(isSought)]);
  if (ids.length > MOST_TOGETHER) return usage(TOO_MANY);
  if (isTooMuch(search)) return usage(SEARCH_TOO_LONG);
  for (const kind of ['unwatch', 'watch'] as const) if (said.has(kind)) return watchOf(kind, ids);
  const filter = filterOf(said);
  if (said.has('compare') || said.has('last')) {
    const isMore = search.length > 0 || filter !== undefined;
    return isMore ? usage(NOT_IN_TWO) : comparisonOf(ids, said.has('last'));
  }
  const set = setOf(said);
  if (set === 'miss' && filter !== undefined) return usage(ONLY_HITS);
  const parsed = lookupOf(ids, set, filter, search);
  return parsed.kind === 'lookup' && said.has('me') ? { ...parsed, isForMe: true } : parsed;
}

function lookupOf(
  ids: readonly SnapshotId[],
  set: DiagnosticSet,
  filter: Filter | undefined,
  search: Search,
): ParsedCommand {
  const [question, ...others] = ids.map((snapshotId) => ({ snapshotId, set }));
  if (question === undefined) return { kind: 'usage' };
  const besides = others.length > 0 && { others };
  const asked = withSearch({ question, ...besides, ...(filter && { filter }) }, search);
  return others.length > 0 && !hasRoomFor(asked) ? usage(TOO_MUCH_TOGETHER) : { kind: 'lookup', ...asked };
}

function usage(problem: string): ParsedCommand {
  return { kind: 'usage', problem };
}

function watchOf(kind: 'watch' | 'unwatch', [snapshotId, ...others]: readonly SnapshotId[]): ParsedCommand {
  if (snapshotId !== undefined && others.length === 0) return { kind, snapshotId };
  return usage(`To ${kind} a snapshot, type one id: “${kind} ${snapshotId}”.`);
}

/** Both sides are all of it. */
function setOf(said: ReadonlySet<string>): DiagnosticSet {
  if (said.has('hit') === said.has('miss')) return 'all';
  return said.has('hit') ? 'hit' : 'miss';
}

function filterOf(said: ReadonlySet<string>): Filter | undefined {
  const levels = LEVEL_GROUPS.filter((level) => said.has(level));
  const cve = said.has('exploited') ? 'exploited' : said.has('cve') ? 'with' : undefined;
  if (levels.length === 0 && cve === undefined) return undefined;
  return { ...(levels.length > 0 && { levels }), ...(cve && { cve }) };
}

/** Both whole analyses are compared: only these tell a hit that passed from one that is no longer checked. */
function comparisonOf(ids: readonly SnapshotId[], isWithLast: boolean): ParsedCommand {
  const [one, other, ...more] = ids.map((snapshotId) => ({ snapshotId, set: 'all' as const }));
  const isTwo = other !== undefined && more.length === 0;
  if (one !== undefined && isTwo && !isWithLast) return { kind: 'lookup', ...inOrder(one, other) };
  if (one !== undefined && other === undefined && isWithLast)
    return { kind: 'lookup', question: one, againstLast: true };
  return usage(TWO_IDS);
}
