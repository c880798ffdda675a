import type { Destination } from './destination.ts';
import type { Filter } from './filtering.ts';
import type { Search } from './searching.ts';
import type { DiagnosticSet, SnapshotId } from './snapshot-id.ts';

/** What is asked of the service: one snapshot's diagnostics, all of them or one side. */
export type Question = { readonly snapshotId: SnapshotId; readonly set: DiagnosticSet };

/** A question as text, for keys: the same text for the same question only. */
export function questionKey(question: Question): string {
  return `${question.snapshotId}:${question.set}`;
}

/** What a person asks for. */
export type Asked = {
  readonly question: Question;
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
};

/**
 * The same request with a search. It asks for all diagnostics, because only they show whether a check ran without a
 * hit.
 */
export function withSearch(asked: Asked, search: Search): Asked {
  if (search.length === 0) return asked;
  return { ...asked, question: { ...asked.question, set: 'all' }, search };
}

/** Where an answer belongs. Only the part that delivers reads the destination. */
export type LookupRequest = Asked & {
  readonly askedBy: string;
  readonly destination: Destination;
};

/** A request that was accepted: it ends in exactly one final message. Times are epoch milliseconds. */
export type Lookup = LookupRequest & {
  readonly id: string;
  readonly acceptedAt: number;
  readonly deadline: number;
};
