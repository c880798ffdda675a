import { type Asked, MOST_TOGETHER } from '../../core/lookup.ts';
import { isSnapshotId, type SnapshotId } from '../../core/snapshot-id.ts';
import { hasRoomFor } from '../block-kit/action-values.ts';
import type { ParsedCommand } from './subcommand.ts';
import { FROM_TO, type Token } from './tokens.ts';

const TOO_MANY = `At most ${MOST_TOGETHER} snapshots fit in one answer.`;
const TOO_LONG = 'That’s too much for one answer: name fewer snapshots, or search for less.';
const TWICE = 'Name each snapshot once.';
const NO_RANGE = 'A range of ids can’t be looked up: name each snapshot.';

/** `26808463-26808470`; not what may be the end of the id of a CVE, which begins with a year. */
const RANGE = /^(?!(?:19|20)\d\d-)(\d{4,20})(?:[-–—]|\.{2,3})(\d{4,20})$/;

/** The tokens with all ids of each range in its place; of one that is too long the ends. */
export function spelledOut(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at) => {
    const ends = (RANGE.exec(token.text) ?? []).slice(1);
    const [from, to] = ends.filter(isSnapshotId);
    if (from !== undefined && to !== undefined) return between(from, to).map(idToken);
    const [one, other] = [tokens[at - 1]?.snapshotId, tokens[at + 1]?.snapshotId];
    const isRange = FROM_TO.includes(token.word) && one !== undefined && other !== undefined;
    return isRange ? between(one, other).map(idToken) : token;
  });
}

function idToken(snapshotId: SnapshotId): Token {
  return { text: snapshotId, word: snapshotId, snapshotId, isPhrase: false };
}

/** The ids of a command, in order, and what prevents that they are looked up together. */
export function idsOf(
  tokens: readonly Token[],
  isRange: boolean,
): { readonly ids: readonly SnapshotId[]; readonly problem?: string } {
  const named = tokens.flatMap(({ snapshotId }) => snapshotId ?? []);
  const each = [...new Set(named)];
  const ids = each.slice(0, MOST_TOGETHER);
  if (isRange) return { ids, problem: NO_RANGE };
  if (each.length > ids.length) return { ids, problem: TOO_MANY };
  return named.length > ids.length ? { ids, problem: TWICE } : { ids };
}

function between(from: SnapshotId, to: SnapshotId): SnapshotId[] {
  const [first, last] = [BigInt(from), BigInt(to)];
  if (from.length !== to.length || last < first || last - first >= BigInt(MOST_TOGETHER)) return [from, to];
  return Array.from({ length: Number(last - first) + 1 }, (_, step) =>
    String(first + BigInt(step)).padStart(from.length, '0'),
  ).filter(isSnapshotId);
}

/** The request with further snapshots beside its own, as far as the answer can carry it. */
export function together(asked: Asked, others: readonly SnapshotId[]): ParsedCommand {
  if (others.length === 0) return { kind: 'lookup', ...asked };
  const { set } = asked.question;
  const request = { ...asked, others: others.map((snapshotId) => ({ snapshotId, set })) };
  return hasRoomFor(request) ? { kind: 'lookup', ...request } : { kind: 'usage', problem: TOO_LONG };
}
