import type { Filter, LevelGroup } from '../../core/filtering.ts';
import type { DiagnosticSet, SnapshotId } from '../../core/snapshot-id.ts';
import type { ParsedCommand, Subcommand } from './subcommand.ts';
import { echoOf, type Token } from './tokens.ts';

/** What a word means, beside an id: a set of diagnostics, or which hits are shown first. */
type Meaning = { readonly set: DiagnosticSet } | { readonly level: LevelGroup } | { readonly cve: 'with' };

/** Every word that people use, beside the specification's own. */
const WORDS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['hit', { set: 'hit' }],
  ['hits', { set: 'hit' }],
  ['miss', { set: 'miss' }],
  ['misses', { set: 'miss' }],
  ['missed', { set: 'miss' }],
  ['all', { set: 'all' }],
  ['critical', { level: 'critical' }],
  ['high', { level: 'high' }],
  ['medium', { level: 'medium' }],
  ['low', { level: 'low' }],
  ['cve', { cve: 'with' }],
  ['cves', { cve: 'with' }],
]);

/** One snapshot: its hits, its passed checks, or some of the hits first. */
export const lookup: Subcommand = {
  words: [],
  forms: [
    { form: '26808463', gives: 'all known issues found, and how many checks passed' },
    { form: '26808463 hit', gives: 'only the issues found' },
    { form: '26808463 miss', gives: 'only the checks that passed' },
    {
      form: '26808463 critical',
      gives: 'only the critical ones; also high, medium, low, cve, or several of these',
    },
  ],
  read,
};

/** One id, or a link that holds one, and words for the set and the filter, in any order. */
function read(tokens: readonly Token[]): ParsedCommand {
  const unknown = tokens.find(({ word, snapshotId }) => !WORDS.has(word) && snapshotId === undefined);
  if (unknown !== undefined) return { kind: 'usage', problem: `“${echoOf(unknown)}” is not a snapshot id.` };
  const meanings = tokens.flatMap(({ word }) => WORDS.get(word) ?? []);
  const ids = tokens.filter(({ word }) => !WORDS.has(word)).flatMap(({ snapshotId }) => snapshotId ?? []);
  const sets = meanings.flatMap((meaning) => ('set' in meaning ? meaning.set : []));
  return understood([...new Set(ids)], [...new Set(sets)], filterOf(meanings));
}

function filterOf(meanings: readonly Meaning[]): Filter | undefined {
  const levels = [...new Set(meanings.flatMap((meaning) => ('level' in meaning ? meaning.level : [])))];
  const cve = meanings.some((meaning) => 'cve' in meaning) ? ({ cve: 'with' } as const) : undefined;
  if (levels.length === 0) return cve;
  return { levels, ...cve };
}

function understood(
  [snapshotId, ...otherIds]: readonly SnapshotId[],
  [set = 'all', ...otherSets]: readonly DiagnosticSet[],
  filter: Filter | undefined,
): ParsedCommand {
  if (snapshotId === undefined) return { kind: 'usage', problem: 'The snapshot id is missing.' };
  if (otherIds.length > 0) {
    return { kind: 'usage', problem: 'One snapshot at a time, please, or “compare” and two of them.' };
  }
  if (otherSets.length > 0) return { kind: 'usage', problem: 'One of hit and miss, please, or neither.' };
  if (set === 'miss' && filter !== undefined) {
    return { kind: 'usage', problem: 'Passed checks can not be filtered: only the issues found can.' };
  }
  return { kind: 'lookup', question: { snapshotId, set }, ...(filter && { filter }) };
}
