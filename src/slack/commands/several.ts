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

/** The ids that a text names, in order, and what prevents that they are looked up together. */
type Named = { readonly ids: readonly SnapshotId[]; readonly problem?: string };

/** Reads the ids of a command. Of a range that is too long the ends stay. */
export function namedIn(tokens: readonly Token[]): Named {
  let isRange = false;
  const typed = tokens.flatMap((token, at): SnapshotId[] => {
    const { snapshotId, text } = token;
    const [from, to] = endsOf(token, tokens[at - 2], tokens[at - 1]);
    if (from === undefined || to === undefined)
      return snapshotId === undefined || RANGE.test(text) ? [] : [snapshotId];
    isRange = true;
    return between(from, to).slice(snapshotId === undefined ? 0 : 1);
  });
  const ids = [...new Set(typed)];
  if (isRange) return { ids: ids.slice(0, MOST_TOGETHER), problem: NO_RANGE };
  if (ids.length > MOST_TOGETHER) return { ids: ids.slice(0, MOST_TOGETHER), problem: TOO_MANY };
  return typed.length > ids.length ? { ids, problem: TWICE } : { ids };
}

/** The ends of a range: in one word, or the id two words before, with a word for a range between them. */
function endsOf(
  { text, snapshotId }: Token,
  before: Token | undefined,
  word: Token | undefined,
): (SnapshotId | undefined)[] {
  const ends = (RANGE.exec(text) ?? []).slice(1).filter(isSnapshotId);
  if (ends.length === 2) return ends;
  return word !== undefined && FROM_TO.includes(word.word) ? [before?.snapshotId, snapshotId] : [];
}

/** Whether a word is a range of ids, which is no word to search for. */
export function isRange({ text }: Token): boolean {
  return RANGE.test(text);
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
