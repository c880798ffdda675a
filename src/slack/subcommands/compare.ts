import type { Asked } from '../../core/lookup.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import type { ParsedCommand, Subcommand } from './subcommand.ts';
import { echoOf, type Token } from './tokens.ts';

const TWO_IDS = 'To compare, type the earlier snapshot and the later one.';
const SAME = 'These two are the same snapshot: there is nothing to compare.';

/** Two snapshots: what is new, cleared, or of another importance. */
export const compare: Subcommand = {
  words: ['compare', 'diff'],
  forms: [
    {
      form: 'compare 26808463 26808470',
      gives: 'what is new and what is cleared in the second, before and after an upgrade for example',
    },
  ],
  read,
};

/** Words that people put between two ids. */
const BETWEEN = ['and', 'with', 'to', 'vs', '->', '→'];

function read(tokens: readonly Token[]): ParsedCommand {
  const named = tokens.filter(({ word }) => !BETWEEN.includes(word));
  const unknown = named.find(({ snapshotId }) => snapshotId === undefined);
  if (unknown !== undefined) return { kind: 'usage', problem: `“${echoOf(unknown)}” is not a snapshot id.` };
  const [before, after, ...others] = named.flatMap(({ snapshotId }) => snapshotId ?? []);
  if (before === undefined || after === undefined || others.length > 0)
    return { kind: 'usage', problem: TWO_IDS };
  return before === after
    ? { kind: 'usage', problem: SAME }
    : { kind: 'lookup', ...comparisonOf(before, after) };
}

/** What a comparison asks: only hits are compared. */
export function comparisonOf(before: SnapshotId, after: SnapshotId): Asked {
  return { question: { snapshotId: after, set: 'hit' }, before: { snapshotId: before, set: 'hit' } };
}
