import type { Acceptance, Comparison, Named } from '../core/comparing.ts';
import { type DiagnosticsResult, relationOf } from '../core/diagnostics.ts';
import type { Fault } from '../core/faults.ts';
import type { Asked, Question } from '../core/lookup.ts';
import type { Found } from '../core/searching.ts';

/** There is no answer yet. `reason`: the service's text or ''. `trouble`: the current fault, if any. */
export type Waiting = {
  readonly kind: 'waiting';
  readonly reason: string;
  /** Whether the service has answered 202; before that, the state of the snapshot is unknown. */
  readonly isProcessing: boolean;
  readonly trouble?: Fault;
  /** For several snapshots, the state of each. */
  readonly units?: readonly Unit[];
};

/**
 * The state of one of several snapshots. `open`: the bot asks again, because the service is processing it (202, with a
 * reason or '') or does not answer. `failed`: a fault ended it. `broken`: a bug ended it; the log has its reference.
 */
export type UnitState =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'open';
      readonly isProcessing: boolean;
      readonly reason: string;
      readonly trouble?: Fault['code'];
    }
  | { readonly kind: 'failed'; readonly why: Fault['code'] }
  | { readonly kind: 'broken'; readonly reference: string };

/** One of several snapshots: its state and, with a result, the matches of a search and what is known of its device. */
export type Unit = { readonly question: Question } & (Exclude<UnitState, { kind: 'ready' }> | ReadyUnit);
export type ReadyUnit = Known & { readonly kind: 'ready'; readonly question: Question };

/** A result, and when it was read (epoch milliseconds). */
export type Read = { readonly result: DiagnosticsResult; readonly readAt: number };

/** The previous result of a device, read at `at` (epoch milliseconds), and the changes since. */
export type LastRead = {
  readonly question: Question;
  readonly at: number;
  /** Whether this earlier result is of a newer snapshot than the result shown. */
  readonly isNewer: boolean;
  /** The changes from the earlier to the later snapshot; undefined if they are unknown. */
  readonly found: Comparison<Named> | undefined;
};

/** A result, the matches of a search, and what is known of its device. */
type Known = Read & {
  /** The matches of a search, found before the message is built. */
  readonly found?: Found;
  readonly lastRead?: LastRead;
  readonly accepted?: readonly Acceptance[];
  readonly owner?: Owner;
  /** The ids of follows that wait for a newer snapshot of this device, and so end with this result. */
  readonly awaitedBy?: readonly string[];
};

/** The owner of a device. `since`: epoch milliseconds. */
export type Owner = { readonly user: string; readonly since: number };

/** The results that a message shows. For several snapshots: the first ready `result`, the earliest `readAt`. */
export type Answers = Known & {
  readonly before?: Read;
  readonly units?: readonly Unit[];
  /** A comparison with the previous result was requested, but there is no such result. */
  readonly hasNoLast?: true;
};

/** The status of a lookup, as a message shows it. Every kind except `waiting` is final. Times are epoch milliseconds. */
export type LookupStatus =
  | Waiting
  | (Answers & { readonly kind: 'ready' })
  | { readonly kind: 'timed-out'; readonly reason: string; readonly trouble?: Fault }
  | { readonly kind: 'cancelled' }
  /** There is a result, but the asker has lost access to it. */
  | { readonly kind: 'withheld' }
  /** `question`: the snapshot that failed; of a comparison, the earlier or the later one. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly question: Question }
  | { readonly kind: 'broken'; readonly reference: string }
  /** Several snapshots, and all without a result. */
  | { readonly kind: 'unanswered'; readonly units: readonly Unit[] };

/**
 * The results to show for the units of a request. Several snapshots need at least one result, other requests need all;
 * else undefined. A comparison of two different devices is shown as several snapshots.
 */
export function answersOf({ before, others }: Asked, units: readonly Unit[]): Answers | undefined {
  const ready = units.flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  const [first, last] = [ready[0], ready.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (others === undefined && ready.length < units.length) return undefined;
  if (others !== undefined || relationOf(first.result.device, last.result.device) === 'other')
    return { result: first.result, readAt: Math.min(...ready.map(({ readAt }) => readAt)), units };
  const { kind: _kind, question: _question, ...answer } = last;
  return before === undefined
    ? answer
    : { ...answer, before: { result: first.result, readAt: first.readAt } };
}
