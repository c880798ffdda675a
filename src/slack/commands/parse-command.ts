import type { DiagnosticSet, SnapshotId } from '../../core/diagnostics.ts';
import type { Filter } from '../../core/importance.ts';
import { type Asked, inOrder, MOST_TOGETHER, withSearch } from '../../core/lookup.ts';
import { isTooMuch, type Search, searchFor, searchText } from '../../core/searching.ts';
import { composed, oneLine } from '../../core/texts.ts';
import { hasRoomFor } from '../blocks/action-values.ts';
import { shorten } from '../blocks/limits.ts';
import { type Hosts, type Reading, readText } from './ids.ts';
import { isSought, meaningOf } from './words.ts';

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

/** One way to write a command, for the help: what follows the command's name, and what it gives. */
type Form = {
  readonly form: string;
  readonly gives: string;
  /** Taught to the admins of the bot alone. */
  readonly isForAdmins?: true;
};

/** Everything that the command can do, as the help teaches it. */
export const SUBCOMMANDS: readonly { readonly forms: readonly Form[] }[] = [
  {
    forms: [
      { form: '26808463', gives: 'the hits: the known issues that match this device' },
      { form: '26808463 miss', gives: 'only the checks that passed' },
      {
        form: '26808463 critical',
        gives: 'only the critical hits; also high, medium, low, cve, or several of these',
      },
      {
        form: '26808463 CVE-2026-10000',
        gives: 'whether this was found; also ids of articles (K…), hits or checks (D…, H…), or several',
      },
      { form: '26808463 tmm “core dump”', gives: 'the hits and checks that mention all of these words' },
      {
        form: '26808463 26808470',
        gives: 'up to 8 side by side, also with the words above; two of one device: what changed',
      },
      { form: '26808463 me', gives: 'the result in a window that only you see; nothing is posted' },
    ],
  },
  {
    forms: [
      {
        form: 'compare 26808463 26808470',
        gives: 'what is new and what is cleared in the later one (the larger id)',
      },
      { form: 'compare last 26808463', gives: 'what changed since this device was last looked up here' },
    ],
  },
  {
    forms: [
      {
        form: 'watch 26808463',
        gives: 'the hits, and a mention in the thread when critical or high ones change',
      },
      { form: 'unwatch 26808463', gives: 'no more of these mentions' },
    ],
  },
  {
    forms: [
      { form: 'devices', gives: 'the devices that you looked up, the worst first; only you see them' },
      {
        form: 'edge-7',
        gives: 'the newest snapshot in your list of the device with that name or serial number',
      },
      {
        form: 'compare last edge-7',
        gives: 'what changed on that device; the words above go with a name, too',
      },
    ],
  },
  { forms: [{ form: 'help', gives: 'this list' }] },
  { forms: [{ form: 'status', gives: 'how the bot is; for its admins only', isForAdmins: true }] },
];

/** The most characters of a command; it is one line. */
export const LONGEST_TEXT = 4_000;

const TOO_LONG = 'This text is too long. Type one snapshot id, or paste one link.';
const TOO_MANY = `At most ${MOST_TOGETHER} snapshots fit in one answer.`;
const TOO_MUCH_TOGETHER = 'That’s too much for one answer: name fewer snapshots, or search for less.';
const TOO_MUCH_TO_SEARCH =
  'That’s too much to search for at once: use at most 8 words and about 70 characters.';
const TWO_IDS = 'To compare, type two ids, in any order; or “compare last” and one id.';
const TWO_ONLY = 'Only two snapshots can be compared; without “compare” several stand side by side.';
const NOT_IN_TWO = 'A comparison shows everything that changed: type only the two ids.';
const HIT_OR_MISS = 'Use either hit or miss, not both.';
const ONLY_HITS = 'Only hits can be filtered, not passed checks.';
/** For a text without an id, but with a link. */
export const NO_ID_IN_LINK = 'This link names no snapshot: paste its id.';
const LONGEST_ECHO = 60;

/**
 * Reads the text of a command: which snapshots it names, and what the words beside them mean; every other word is searched
 * for. `hosts`: those of the service.
 */
export function parseCommand(text: string, hosts: Hosts): ParsedCommand {
  if (text.length > LONGEST_TEXT || composed(text).length > LONGEST_TEXT) return usage(TOO_LONG);
  const reading = readText(text, hosts, true);
  if (reading.ids.length > 0) return understood(reading);
  if (reading.hasOtherLink) return usage(NO_ID_IN_LINK);
  const named = namedIn(reading);
  const problem = `“${echoOf(text)}” names no snapshot: type its id.`;
  return withoutId(reading) ?? { kind: 'usage', problem, ...(named && { named }) };
}

const LONGEST_REST = 200;

/** The first word that means nothing else may be the name of a device. */
function namedIn({ words, issues, phrases }: Reading): Named | undefined {
  const name = words.find((word) => meaningOf(word) === undefined && isSought(word));
  const others = words.filter((word) => word !== name);
  const rest = [...others, searchText([...issues, ...phrases])].join(' ').trim();
  return name === undefined || rest.length > LONGEST_REST ? undefined : { name, rest };
}

/** What a text without an id asks for; undefined if it needs one. */
export function withoutId({ words, issues, phrases }: Reading): ParsedCommand | undefined {
  const acts = words.map((word) => meaningOf(word)?.act);
  if (words.length + issues.length + phrases.length === 0 || acts.includes('help')) return { kind: 'usage' };
  const kind = (['status', 'devices'] as const).find((one) => acts.every((act) => act === one));
  return words.length > 0 && kind !== undefined ? { kind } : undefined;
}

type Meanings = readonly NonNullable<ReturnType<typeof meaningOf>>[];

/** What is asked of the snapshots that a text names, at least one. */
export function understood({ ids, issues, phrases, words }: Omit<Reading, 'hasOtherLink'>): ParsedCommand {
  const meanings = words.flatMap((word) => meaningOf(word) ?? []);
  const sought = words.filter((word) => meaningOf(word) === undefined && isSought(word));
  const search = searchFor([...issues, ...phrases, ...sought]);
  const acts = new Set(meanings.flatMap(({ act }) => act ?? []));
  if (ids.length > MOST_TOGETHER) return usage(TOO_MANY);
  if (isTooMuch(search)) return usage(TOO_MUCH_TO_SEARCH);
  for (const kind of ['unwatch', 'watch'] as const) if (acts.has(kind)) return watchOf(kind, ids);
  const filter = filterOf(meanings);
  if (acts.has('compare') || acts.has('last')) {
    const isMore = search.length > 0 || filter !== undefined;
    return isMore ? usage(NOT_IN_TWO) : comparisonOf(ids, acts.has('last'));
  }
  const sets = new Set(meanings.flatMap(({ set }) => set ?? []));
  if (sets.size > 1) return usage(HIT_OR_MISS);
  if (sets.has('miss') && filter !== undefined) return usage(ONLY_HITS);
  const parsed = lookupOf(ids, sets, filter, search);
  return parsed.kind === 'lookup' && acts.has('me') ? { ...parsed, isForMe: true } : parsed;
}

function lookupOf(
  ids: readonly SnapshotId[],
  [set = 'all']: Iterable<DiagnosticSet>,
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

function filterOf(meanings: Meanings): Filter | undefined {
  const levels = [...new Set(meanings.flatMap(({ level }) => level ?? []))];
  const hasCve = meanings.some(({ cve }) => cve);
  if (levels.length === 0 && !hasCve) return undefined;
  return { ...(levels.length > 0 && { levels }), ...(hasCve && { cve: 'with' as const }) };
}

/** Only the whole later analysis tells a hit that passed from one that is no longer checked. */
const COMPARED: DiagnosticSet = 'all';

function comparisonOf(ids: readonly SnapshotId[], isWithLast: boolean): ParsedCommand {
  const [one, other, ...more] = ids.map((snapshotId) => ({ snapshotId, set: COMPARED }));
  if (one !== undefined && other === undefined && isWithLast)
    return { kind: 'lookup', question: one, againstLast: true };
  if (one === undefined || other === undefined || isWithLast) return usage(TWO_IDS);
  return more.length > 0 ? usage(TWO_ONLY) : { kind: 'lookup', ...inOrder(one, other) };
}

/** What was typed, as the person saw it. */
function echoOf(text: string): string {
  const seen = composed(text).replace(/<([^<>]*)>/g, (_, inside: string) => inside.split('|').at(-1) ?? '');
  return shorten(
    oneLine(seen.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')),
    LONGEST_ECHO,
  );
}
