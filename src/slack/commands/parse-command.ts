import type { SnapshotId } from '../../core/diagnostics.ts';
import { type Filter, LEVEL_GROUPS } from '../../core/importance.ts';
import { type Asked, inOrder, MOST_TOGETHER, type Question, withSearch } from '../../core/lookup.ts';
import { isTooMuch, type Search, searchFor, searchText } from '../../core/searching.ts';
import { hasRoomFor } from '../blocks/action-values.ts';
import { shorten } from '../blocks/limits.ts';
import { commandWord, type Hosts, isSought, type Reading, readText } from './ids.ts';

/** A parsed request. `isForMe`: only the asker sees the answer. `usage`: a call for help, or a `problem` to explain. */
export type ParsedCommand =
  | ({ readonly kind: 'lookup'; readonly isForMe?: true } & Asked)
  | { readonly kind: 'status' | 'devices' }
  | { readonly kind: 'watch' | 'unwatch'; readonly snapshotId: SnapshotId }
  | { readonly kind: 'usage'; readonly problem?: string; readonly named?: Named };

/** A word that may be the name of a device, and the rest of the command, which then applies to that device. */
export type Named = { readonly name: string; readonly rest: string };

/** The lines of the help: what to type after the command's name, and what it shows. */
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
/** A line of the help for the admins of the bot. */
export const STATUS_FORM = ['status', 'how the bot is; for its admins only'] as const;

const LONGEST_ECHO = 60;
const LONGEST_REST = 200;

/** Reads a command: the ids and the command words; it searches for every other word. `hosts`: the service's hosts. */
export function parseCommand(text: string, hosts: Hosts): ParsedCommand {
  // After the word “snapshot”, numbers of any length count as ids.
  const reading = readText(`snapshot ${text}`, hosts);
  const { words, terms } = reading;
  const parsed = understood(reading);
  const typed = [...words, ...terms].join(' ').trim();
  if (parsed !== undefined || typed === '') return parsed ?? { kind: 'usage' };
  // The first word without another meaning may be the name of a device.
  const name = words.find(isSought);
  const rest = [...words.filter((word) => word !== name), searchText(terms)].join(' ').trim();
  const hasName = name !== undefined && rest.length <= LONGEST_REST;
  const problem = usage(`“${shorten(typed, LONGEST_ECHO)}” names no snapshot: type its id.`);
  return { ...problem, ...(hasName && { named: { name, rest } }) };
}

/** The request; undefined if it needs a snapshot id and the text has none. */
function understood(reading: Reading): ParsedCommand | undefined {
  const [first, ...others] = reading.ids;
  if (first !== undefined) return askedOf(first, others, reading);
  if (reading.hasOtherLink) return usage('This link names no snapshot: paste its id.');
  // Ignores the words of sentences, such as “my devices”.
  const said = reading.words.flatMap((word) => (isSought(word) ? word : (commandWord(word) ?? [])));
  if (said.includes('help')) return { kind: 'usage' };
  if (said.includes('devices') && said.length + reading.terms.length > 1)
    return usage('To search your devices, type only “devices”, then search in the window.');
  const [kind, more] = said;
  return (kind === 'status' || kind === 'devices') && more === undefined ? { kind } : undefined;
}

/** The request for the snapshots that a text names. */
function askedOf(first: SnapshotId, more: readonly SnapshotId[], { terms, words }: Reading): ParsedCommand {
  const said = new Set(words.flatMap((word) => commandWord(word) ?? []));
  const search = searchFor([...terms, ...words.filter(isSought)]);
  const filter = filterOf(said);
  if (more.length >= MOST_TOGETHER) return usage(`At most ${MOST_TOGETHER} snapshots fit in one answer.`);
  const posting = ['watch', 'last'].find((each) => said.has(each));
  if (posting && said.has('me')) return usage(`“${posting}” posts its answer: leave out “me”.`);
  const kind = (['unwatch', 'watch'] as const).find((each) => said.has(each));
  if (kind !== undefined && more.length > 0)
    return usage(`To ${kind} a snapshot, type one id: “${kind} ${first}”.`);
  if (kind !== undefined) return { kind, snapshotId: first };
  const isPart = search.length > 0 || filter !== undefined;
  if (said.has('compare') || said.has('last')) return comparisonOf(first, more, said, isPart);
  return lookupOf([first, ...more], said, filter, search);
}

function usage(problem: string): ParsedCommand & { kind: 'usage' } {
  return { kind: 'usage', problem };
}

function filterOf(said: ReadonlySet<string>): Filter | undefined {
  const levels = LEVEL_GROUPS.filter((level) => said.has(level));
  const cve = said.has('exploited') ? 'exploited' : said.has('cve') ? 'with' : undefined;
  if (levels.length === 0 && cve === undefined) return undefined;
  return { ...(levels.length > 0 && { levels }), ...(cve && { cve }) };
}

function lookupOf(
  ids: readonly [SnapshotId, ...SnapshotId[]],
  said: ReadonlySet<string>,
  filter: Filter | undefined,
  search: Search,
): ParsedCommand {
  // A command with both words, or with neither word, requests all diagnostics.
  const set = said.has('hit') === said.has('miss') ? 'all' : said.has('hit') ? 'hit' : 'miss';
  if (set === 'miss' && filter !== undefined)
    return usage('Only hits can be filtered, not passed checks: leave out “miss”.');
  const of = (snapshotId: SnapshotId): Question => ({ snapshotId, set });
  const [first, ...more] = ids;
  const others = more.length > 0 && { others: more.map(of) };
  const asked = withSearch({ question: of(first), ...others, ...(filter && { filter }) }, search);
  if (isTooMuch(search) || (others && !hasRoomFor(asked)))
    return usage('That’s too much for one answer: name fewer snapshots, or search for less.');
  return { kind: 'lookup', ...asked, ...(said.has('me') && { isForMe: true }) };
}

/** A comparison always needs both whole analyses: only they distinguish passed checks from checks no longer done. */
function comparisonOf(
  first: SnapshotId,
  [second, third]: readonly SnapshotId[],
  said: ReadonlySet<string>,
  isPart: boolean,
): ParsedCommand {
  const isWithLast = said.has('last');
  if (isPart) return usage('A comparison shows everything that changed: type only the two ids.');
  const one = { snapshotId: first, set: 'all' } as const;
  if (isWithLast && second === undefined) return { kind: 'lookup', question: one, againstLast: true };
  if (isWithLast || second === undefined || third !== undefined)
    return usage('To compare, type two ids, in any order; or “compare last” and one id.');
  const both = inOrder(one, { snapshotId: second, set: 'all' });
  return { kind: 'lookup', ...both, ...(said.has('me') && { isForMe: true }) };
}

/** Reads a message: ids, CVEs and quoted words. Other words are ignored, unless all of them are command words. */
export function readMessage(text: string, hosts: Hosts): Reading {
  const reading = readText(text, hosts);
  const said = reading.words.map(commandWord);
  // Beside an id, “help” is a word of a sentence, such as “help me with 26808463”.
  const isSentence = reading.ids.length > 0 && said.includes('help');
  return isSentence || said.includes(undefined) ? { ...reading, words: [] } : reading;
}

/** Reads a direct message to the bot. `chat`: it contains no request. */
export function parseSpoken(text: string, hosts: Hosts): ParsedCommand | { readonly kind: 'chat' } {
  return understood(readMessage(text, hosts)) ?? { kind: 'chat' };
}

/** Replaces each mention of the bot by a space. Takes linear time. */
export function withoutMention(text: string, botUser: string): string {
  return text.replace(mentionOf(botUser), ' ');
}

/** Matches the mentions of a user as Slack writes them: `<@U…>` or `<@U…|name>`. */
function mentionOf(user: string): RegExp {
  return new RegExp(`<@${user}(?:\\|[^<>]*)?>`, 'g');
}

/** Whether a mention may be a request: it has a number or a link. Otherwise no refusal or failure is reported. */
export function mayBeARequest(text: string): boolean {
  return /\p{Nd}|<https?:/u.test(text.replace(/<@[^<>]*>/g, ''));
}

/** The most words of a mention that addresses the bot; sentences about the bot are longer. */
const FEW_WORDS = 5;
const THANKS = /\b(?:thanks?|thx|ta|cheers)\b/i;
const WHICH = 'Which snapshot? Mention me with its id.';
const SEEN_BY_ALL =
  'Everyone sees the answer to a mention. To read a result in private, type the command with “me”, or send me the id directly.';

/** Reads a mention. `quiet`: gets no reply, as it has no id and does not address the bot. `more`: forwarded texts. */
export function parseMention(
  text: string,
  botUser: string,
  hosts: Hosts,
  more = '',
): ParsedCommand | { readonly kind: 'quiet' } {
  const said = withoutMention(text, botUser).trim();
  const reading = readMessage(`${said}\n${more}`, hosts);
  const parsed = understood(reading) ?? { kind: 'usage', problem: WHICH };
  if (parsed.kind === 'lookup' && parsed.isForMe) return { kind: 'usage', problem: SEEN_BY_ALL };
  if (reading.ids.length > 0) return parsed;
  const isAddressed = text.trimStart().search(mentionOf(botUser)) === 0;
  const isShort = (said.match(/\S+/g) ?? []).length <= FEW_WORDS;
  return isAddressed && isShort && !THANKS.test(said) ? parsed : { kind: 'quiet' };
}

const TEXT_KEYS = new Set(['text', 'fallback', 'pretext', 'title', 'value', 'url', 'title_link', 'name']);

/** All texts of a message, with the names of its files and forwarded messages, but without Slack's previews of links. */
export function textOfMessage(message: unknown): string {
  return textsIn(message, '').join('\n');
}

function textsIn(value: unknown, key: string): string[] {
  if (typeof value === 'string') return TEXT_KEYS.has(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  if ('from_url' in value && !('is_share' in value && value.is_share === true)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    // The `value` of a titled field is text; that of a button or an option is data.
    if (name === 'value' && !('title' in value)) return [];
    return textsIn(inner, Array.isArray(value) ? key : name);
  });
}
