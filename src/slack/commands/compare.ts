import { type Asked, inOrder } from '../../core/lookup.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import type { Offer, ParsedCommand, Subcommand } from './subcommand.ts';
import { echoOf, isCourtesy, type Token } from './tokens.ts';

const TWO_IDS = 'To compare, type two ids, in any order.';
const SAME = 'Both ids are the same snapshot: there is nothing to compare.';

/** Two snapshots: what is new, cleared, or of another importance. */
export const compare: Subcommand = {
  words: ['compare', 'diff'],
  forms: [
    {
      form: 'compare 26808463 26808470',
      gives: 'what is new and what is cleared in the later one, the larger id',
    },
    {
      form: 'compare last 26808463',
      gives: 'what changed since this device was last looked up here',
    },
  ],
  read,
};

/** On a button, where two ids have no room on a phone. */
export const COMPARE_THEM = 'Compare them';

/** Stands for the device's last result, instead of an id. */
const LAST = 'last';

/** Words that people put between two ids. */
const BETWEEN = ['and', 'with', 'to', 'vs', '->', '→'];

function read(tokens: readonly Token[]): ParsedCommand {
  const named = tokens.filter((token) => !BETWEEN.includes(token.word) && !isCourtesy(token));
  if (named.length === 2 && named.some(({ word }) => word === LAST)) {
    const snapshotId = named.find((token) => token.snapshotId !== undefined)?.snapshotId;
    if (snapshotId !== undefined) return { kind: 'lookup', ...againstLast(snapshotId) };
  }
  const unknown = named.find(({ snapshotId }) => snapshotId === undefined);
  if (unknown !== undefined) return { kind: 'usage', problem: `“${echoOf(unknown)}” is not a snapshot id.` };
  const [one, other, ...others] = named.flatMap(({ snapshotId }) => snapshotId ?? []);
  if (one !== undefined && other === undefined) {
    const form = `compare ${LAST} ${one}`;
    return {
      kind: 'usage',
      problem: TWO_IDS,
      meant: { form },
      offers: [{ label: form, asked: againstLast(one) }],
    };
  }
  if (one === undefined || other === undefined || others.length > 0)
    return { kind: 'usage', problem: TWO_IDS };
  return one === other ? { kind: 'usage', problem: SAME } : { kind: 'lookup', ...comparisonOf(one, other) };
}

function againstLast(snapshotId: SnapshotId): Asked {
  return { question: { snapshotId, set: 'hit' }, againstLast: true };
}

/** The request for a comparison, which compares hits only, from the earlier snapshot to the later one. */
export function comparisonOf(one: SnapshotId, other: SnapshotId): Asked {
  return inOrder({ snapshotId: one, set: 'hit' }, { snapshotId: other, set: 'hit' });
}

/** As many snapshots as a person wants to choose from. */
const MOST = 10;

/** What can be asked of several snapshots: each alone, and of two also what changed from the first to the second. */
export function offersOf(ids: readonly SnapshotId[]): Offer[] {
  const [before, after] = ids;
  const isPair = before !== undefined && after !== undefined && ids.length === 2;
  const spoken = `Compare ${before} with ${after}`;
  return [
    ...(isPair ? [{ label: COMPARE_THEM, spoken, asked: comparisonOf(before, after) }] : []),
    ...ids.slice(0, MOST).map((snapshotId) => ({
      label: snapshotId,
      asked: { question: { snapshotId, set: 'all' as const } },
    })),
  ];
}
