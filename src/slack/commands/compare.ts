import type { SnapshotId } from '../../core/diagnostics.ts';
import { type Asked, inOrder, MOST_TOGETHER } from '../../core/lookup.ts';
import { readLookup } from './lookup.ts';
import { nearest, offering } from './near-words.ts';
import type { ParsedCommand, Subcommand } from './subcommand.ts';
import { BETWEEN, echoOf, isCourtesy, type Token } from './tokens.ts';

const TWO_IDS = 'To compare, type two ids, in any order.';
const TWO_ONLY = 'Only two snapshots can be compared; several stand side by side.';
const LAST_OF_ONE = 'To compare with the device’s last result, type one id: “compare last 26808463”.';
const SAME = 'Both ids are the same snapshot: there is nothing to compare.';

/** Two snapshots: what is new, cleared, or of another importance. */
export const compare: Subcommand = {
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
  read,
};

/** Stands for the device's last result, instead of an id. */
const LAST = 'last';

function read(tokens: readonly Token[]): ParsedCommand {
  const named = tokens.filter((token) => !BETWEEN.includes(token.word) && !isCourtesy(token));
  const [one, other, ...others] = named.flatMap(({ snapshotId }) => snapshotId ?? []);
  const last = named.find(({ word }) => word === LAST);
  if (one !== undefined && last !== undefined && named.length === 2)
    return { kind: 'lookup', ...againstLast(one) };
  const unknown = named.find(({ snapshotId }) => snapshotId === undefined);
  const problem = problemOf(last, unknown);
  if (one === undefined) return { kind: 'usage', problem: problem ?? TWO_IDS };
  if (problem !== undefined || other === undefined) {
    const isLast = last !== undefined || other === undefined;
    const form = isLast ? `compare ${LAST} ${one}` : `compare ${one} ${other}`;
    return { kind: 'usage', problem: problem ?? TWO_IDS, ...offering(form) };
  }
  if (others.length > 0) {
    const ids = new Set([one, other, ...others]);
    return nearest(TWO_ONLY, [...ids].slice(0, MOST_TOGETHER).join(' '), readLookup);
  }
  return one === other ? { kind: 'usage', problem: SAME } : { kind: 'lookup', ...comparisonOf(one, other) };
}

/** What prevents a comparison, where something is named that is no id. */
function problemOf(last: Token | undefined, unknown: Token | undefined): string | undefined {
  if (last !== undefined) return LAST_OF_ONE;
  return unknown && `“${echoOf(unknown)}” is not a snapshot id.`;
}

function againstLast(snapshotId: SnapshotId): Asked {
  return { question: { snapshotId, set: 'hit' }, againstLast: true };
}

/** The request for a comparison, which compares hits only, from the earlier snapshot to the later one. */
export function comparisonOf(one: SnapshotId, other: SnapshotId): Asked {
  return inOrder({ snapshotId: one, set: 'hit' }, { snapshotId: other, set: 'hit' });
}
