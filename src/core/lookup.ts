import type { Destination } from './destination.ts';
import type { Filter } from './importance.ts';
import type { Search } from './searching.ts';
import { type DiagnosticSet, isEarlier, type Side, type SnapshotId } from './snapshot-id.ts';

/** What is asked of the service: one snapshot's diagnostics, all of them or one side. */
export type Question = { readonly snapshotId: SnapshotId; readonly set: DiagnosticSet };

/** A question as text, for keys: the same text for the same question only. */
export function questionKey(question: Question): string {
  return `${question.snapshotId}:${question.set}`;
}

/** What a person asks for. */
export type Asked = {
  readonly question: Question;
  /** Further snapshots, which the answer shows side by side with this one, in this order. */
  readonly others?: readonly Question[];
  /** The earlier snapshot that the answer is compared with. */
  readonly before?: Question;
  /**
   * Whether to compare with the last result of the same device; its snapshot is known only once this one has been read.
   */
  readonly againstLast?: true;
  /** Which hits are shown first. */
  readonly filter?: Filter;
  /** What to search the analysis for. A search always asks for all diagnostics. */
  readonly search?: Search;
  /** Of a search: the one side that is listed. The verdicts are about all of the analysis. */
  readonly side?: Side;
};

/** The most snapshots that one answer is about: each costs as much as a command. */
export const MOST_TOGETHER = 8;

/** One question for each snapshot of a request: in a comparison the earlier one first, else in the order of the request. */
export function questionsOf({ question, before, others = [] }: Asked): readonly Question[] {
  return before === undefined ? [question, ...others] : [before, question];
}

/** Two questions as a comparison has them: the snapshot that was uploaded earlier is the one before. */
export function inOrder(one: Question, other: Question): Required<Pick<Asked, 'question' | 'before'>> {
  const isReversed = isEarlier(other.snapshotId, one.snapshotId);
  return isReversed ? { before: other, question: one } : { before: one, question: other };
}

/**
 * The same request with this search in place of any other, or with none. A search asks for all diagnostics, because only
 * they show whether a check ran without a hit: the side that was asked for is kept apart from the question.
 */
export function withSearch<A extends Asked>(
  { search: _before, side, ...asked }: A,
  search: Search,
): Omit<A, 'search' | 'side'> & Pick<Asked, 'search' | 'side'> {
  const shown = side ?? asked.question.set;
  const set = search.length === 0 ? shown : 'all';
  const of = ({ snapshotId }: Question): Question => ({ snapshotId, set });
  const others = asked.others?.map(of);
  const request = { ...asked, question: of(asked.question), ...(others && { others }) };
  if (search.length === 0) return request;
  return { ...request, search, ...(shown !== 'all' && { side: shown }) };
}

/** Where an answer belongs. Only the part that delivers reads the destination. */
export type LookupRequest = Asked & {
  readonly askedBy: string;
  /** Whether a result will do that was read before the request. */
  readonly mayBeCached?: true;
  readonly destination: Destination;
  /** Whether the asker wants to hear of what becomes new in it. */
  readonly watch?: true;
};

/** A request that was accepted: it ends in exactly one final message. Times are epoch milliseconds. */
export type Lookup = LookupRequest & {
  readonly id: string;
  readonly acceptedAt: number;
  readonly deadline: number;
};
