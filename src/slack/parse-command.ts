import type { Question } from '../core/lookup.ts';
import { type DiagnosticSet, isSnapshotId, type SnapshotId } from '../core/snapshot-id.ts';
import { shorten } from './limits.ts';

/** What a command's text asks for. `problem` says what could not be understood; without one, help was asked for. */
export type ParsedCommand =
  | { readonly kind: 'lookup'; readonly question: Question }
  | { readonly kind: 'usage'; readonly problem?: string };

/** Every word that people use for a set, beside the specification's own. */
const SET_WORDS: ReadonlyMap<string, DiagnosticSet> = new Map([
  ['hit', 'hit'],
  ['hits', 'hit'],
  ['miss', 'miss'],
  ['misses', 'miss'],
  ['missed', 'miss'],
  ['all', 'all'],
]);
/** A phone makes one long dash of two. */
const HELP_WORDS = ['help', '--help', '—help', '-h', '?'];

/** A link or a mention as Slack wraps it, `<url|label>`, or a word. */
const TOKENS = /<[^>]*>|[^\s<]+/g;
/** Characters that phones, word processors and copying leave around an id. */
const DECORATION = /^["'`‘’‚“”„«»‹›<([{#*_~,.;:]+|["'`‘’‚“”„«»‹›>)\]}*_~,.;:!?]+$/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const WRAPPED = /^<([^|>]*)(?:\|([^>]*))?>$/;
const LONGEST_ECHO = 60;

/**
 * Reads the text of a command: one id, or a link that holds one, and at most one word for the set, in any order,
 * with whatever spaces, quotes and case.
 */
export function parseCommand(text: string): ParsedCommand {
  const tokens = (text.normalize('NFKC').replace(INVISIBLE, '').match(TOKENS) ?? [])
    .map(undecorated)
    .filter((token) => token !== '');
  if (tokens.length === 0 || tokens.some((token) => HELP_WORDS.includes(token.toLowerCase()))) {
    return { kind: 'usage' };
  }
  return read(tokens);
}

function undecorated(token: string): string {
  if (HELP_WORDS.includes(token) || WRAPPED.test(token)) return token;
  return unescaped(token).replace(DECORATION, '');
}

/** Slack escapes these three in what people type. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function read(tokens: readonly string[]): ParsedCommand {
  const ids: SnapshotId[] = [];
  const sets: DiagnosticSet[] = [];
  for (const token of tokens) {
    const set = SET_WORDS.get(token.toLowerCase());
    const id = set === undefined ? snapshotIdIn(token) : undefined;
    if (set !== undefined) sets.push(set);
    else if (id !== undefined) ids.push(id);
    else return { kind: 'usage', problem: `“${shorten(echoOf(token), LONGEST_ECHO)}” is not a snapshot id.` };
  }
  const [snapshotId, ...otherIds] = new Set(ids);
  const [set = 'all', ...otherSets] = new Set(sets);
  if (snapshotId === undefined) return { kind: 'usage', problem: 'The snapshot id is missing.' };
  if (otherIds.length > 0) return { kind: 'usage', problem: 'One snapshot at a time, please.' };
  if (otherSets.length > 0) return { kind: 'usage', problem: 'One of hit and miss, please, or neither.' };
  return { kind: 'lookup', question: { snapshotId, set } };
}

function snapshotIdIn(token: string): SnapshotId | undefined {
  const { address, label } = parts(token);
  return [address, label].map(idOf).find((id) => id !== undefined);
}

/** What the person saw of the token when it was typed. */
function echoOf(token: string): string {
  const { address, label } = parts(token);
  if (label === '') return address;
  return address.startsWith('@') || address.startsWith('#') ? `${address.charAt(0)}${label}` : label;
}

function parts(token: string): { address: string; label: string } {
  const [, address = token, label = ''] = WRAPPED.exec(token) ?? [];
  return { address: unescaped(address), label: unescaped(label).trim() };
}

const ADDRESSES = ['http:', 'https:', 'tel:'];

function idOf(text: string): SnapshotId | undefined {
  if (isSnapshotId(text)) return text;
  const address = URL.parse(text);
  if (address === null || !ADDRESSES.includes(address.protocol)) return undefined;
  // A query may hold longer numbers that are no ids, a time for example.
  return longestId(`${address.pathname}/${address.hash}`) ?? longestId(address.search);
}

/** A version in a path is decimal too; an id is the longest number there. */
function longestId(path: string): SnapshotId | undefined {
  return path
    .split(/[/#?&=]/)
    .filter(isSnapshotId)
    .reduce<SnapshotId | undefined>(
      (best, id) => (best !== undefined && best.length >= id.length ? best : id),
      undefined,
    );
}
