import type { Filter } from './filtering.ts';
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
  /** Which hits are shown first. */
  readonly filter?: Filter;
};

/** Where an answer belongs. `Place` is opaque to everything but the part that delivers. */
export type LookupRequest<Place> = Asked & {
  readonly askedBy: string;
  readonly place: Place;
};

/** A request that was accepted: it ends in exactly one final message. Times are epoch milliseconds. */
export type Lookup<Place> = LookupRequest<Place> & {
  readonly id: string;
  readonly acceptedAt: number;
  readonly deadline: number;
};
