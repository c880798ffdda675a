import type { Question } from '../core/lookup.ts';
import { type DiagnosticSet, isSnapshotId, type SnapshotId } from '../core/snapshot-id.ts';

/** What a command's text asks for. `problem` says what could not be understood; without one, help was asked for. */
export type ParsedCommand =
  | { readonly kind: 'lookup'; readonly question: Question }
  | { readonly kind: 'usage'; readonly problem?: string };

/** Every word that people use for a set, beside the specification's own. */
const SET_WORDS: Readonly<Record<string, DiagnosticSet>> = {
  hit: 'hit',
  hits: 'hit',
  miss: 'miss',
  misses: 'miss',
  missed: 'miss',
  all: 'all',
};
const HELP_WORDS = ['help', '--help', '-h', '?'];

/** A link as Slack wraps it, `<url|label>`, or a word. */
const TOKENS = /<[^>]*>|\S+/g;
/** Characters that phones, word processors and copying leave around an id. */
const DECORATION = /^["'`‘’‚“”„«»‹›([{#*_~,.;:]+|["'`‘’‚“”„«»‹›)\]}*_~,.;:!?]+$/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const WRAPPED = /^<([^|>]*)(?:\|([^>]*))?>$/;
const LONGEST_ECHO = 60;

/**
 * Reads the text of a command: one id, or a link that holds one, and at most one word for the set, in any order,
 * with whatever spaces, quotes and case.
 */
export function parseCommand(text: string): ParsedCommand {
  const tokens = (text.normalize('NFKC').replace(INVISIBLE, '').match(TOKENS) ?? [])
    .map((token) => (HELP_WORDS.includes(token) ? token : token.replace(DECORATION, '')))
    .filter((token) => token !== '');
  if (tokens.length === 0 || tokens.some((token) => HELP_WORDS.includes(token.toLowerCase()))) {
    return { kind: 'usage' };
  }
  return read(tokens);
}

function read(tokens: readonly string[]): ParsedCommand {
  const ids: SnapshotId[] = [];
  const sets: DiagnosticSet[] = [];
  for (const token of tokens) {
    const set = SET_WORDS[token.toLowerCase()];
    const id = set === undefined ? snapshotIdIn(token) : undefined;
    if (set !== undefined) sets.push(set);
    else if (id !== undefined) ids.push(id);
    else return { kind: 'usage', problem: `“${token.slice(0, LONGEST_ECHO)}” is no snapshot id.` };
  }
  const [snapshotId, ...otherIds] = new Set(ids);
  const [set = 'all', ...otherSets] = new Set(sets);
  if (snapshotId === undefined) return { kind: 'usage', problem: 'The snapshot id is missing.' };
  if (otherIds.length > 0) return { kind: 'usage', problem: 'One snapshot at a time, please.' };
  if (otherSets.length > 0) return { kind: 'usage', problem: 'Either hit or miss, please, not both.' };
  return { kind: 'lookup', question: { snapshotId, set } };
}

function snapshotIdIn(token: string): SnapshotId | undefined {
  const wrapped = WRAPPED.exec(token);
  const [address, label = ''] = wrapped === null ? [token] : [wrapped[1] ?? '', wrapped[2]];
  return [address, label.trim()].map(idOf).find((id) => id !== undefined);
}

function idOf(text: string): SnapshotId | undefined {
  if (isSnapshotId(text)) return text;
  const address = URL.parse(text);
  if (address === null || !['http:', 'https:', 'tel:'].includes(address.protocol)) return undefined;
  // A version in the path is decimal too; an id is the longest number there.
  return `${address.pathname}/${address.hash}`
    .split(/[/#?&=]/)
    .filter(isSnapshotId)
    .reduce<SnapshotId | undefined>(
      (best, id) => (best !== undefined && best.length >= id.length ? best : id),
      undefined,
    );
}
