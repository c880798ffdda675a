import type { Acceptance, Comparison, Named } from '../core/comparing.ts';
import { type DiagnosticsResult, relationOf } from '../core/diagnostics.ts';
import type { Fault } from '../core/faults.ts';
import type { Asked, Question } from '../core/lookup.ts';
import type { Found } from '../core/searching.ts';

/**
 * The answer is not there yet: since when the bot waits (epoch ms), the service's reason or '', and the present fault,
 * if any.
 */
export type Waiting = {
  readonly kind: 'waiting';
  readonly since: number;
  readonly reason: string;
  /** Whether the service has said that it processes the snapshot (202); until then it is only being asked. */
  readonly isProcessing: boolean;
  readonly trouble?: Fault;
  /** For several snapshots, the state of each. */
  readonly units?: readonly Unit[];
};

/**
 * The state of one of several snapshots: it has a result; or it is asked for again, because the service processes it (202,
 * with its reason or '') or does not answer now; or it ended with a fault, or with a bug under this reference.
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

/** One of several snapshots, with what is kept of its result, what a search finds there, and the last result of its device. */
export type Unit = { readonly question: Question } & (Exclude<UnitState, { kind: 'ready' }> | ReadyUnit);
export type ReadyUnit = Known & { readonly kind: 'ready'; readonly question: Question };

/** A result, and when it was read. Epoch milliseconds. */
export type Read = { readonly result: DiagnosticsResult; readonly readAt: number };

/** The last result of a device, read at `at` (epoch ms), and what changed since. */
export type LastRead = {
  readonly question: Question;
  readonly at: number;
  /** Whether its snapshot was uploaded later than the other one. */
  readonly isNewer: boolean;
  /** What changed from the earlier snapshot to the later one; absent if that is unknown. */
  readonly found: Comparison<Named> | undefined;
};

/** A result with what a search finds in it, and what is known of its device. */
type Known = Read & {
  /** The matches of a search, found before anything is drawn. */
  readonly found?: Found;
  readonly lastRead?: LastRead;
  readonly accepted?: readonly Acceptance[];
  /** The follows that wait for a newer snapshot of its device than theirs. */
  readonly awaitedBy?: readonly string[];
};

/** Who works on a device; `since` is epoch milliseconds. */
export type Owner = { readonly user: string; readonly since: number };

/** The results that a message is made of: one, the two of a comparison, or several with the first one that is ready. */
export type Answers = Known & {
  readonly before?: Read;
  readonly units?: readonly Unit[];
  readonly owner?: Owner;
  /** A comparison with the device's last result was asked for, and there is none. */
  readonly hasNoLast?: true;
};

/** What a message can say about a lookup. All kinds but `waiting` are final. Times are epoch milliseconds. */
export type LookupStatus =
  | Waiting
  | (Answers & { readonly kind: 'ready' })
  | { readonly kind: 'timed-out'; readonly reason: string; readonly trouble?: Fault }
  | { readonly kind: 'cancelled' }
  /** There is a result, but the asker has lost access to it. */
  | { readonly kind: 'withheld' }
  /** `question`: in a comparison, the one of the two that failed. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly question: Question }
  | { readonly kind: 'broken'; readonly reference: string }
  /** None of several snapshots has a result. */
  | { readonly kind: 'unanswered'; readonly units: readonly Unit[] };

/**
 * The answers that the units of a request give; undefined if one has no result (of several: if none has one). A
 * comparison that turns out to be of two devices is answered as several snapshots.
 */
export function answersOf({ before, others }: Asked, units: readonly Unit[]): Answers | undefined {
  const ready = units.flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  const [first, last] = [ready[0], ready.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (others === undefined && ready.length < units.length) return undefined;
  if (others !== undefined || (before !== undefined && areTwoDevices(first, last)))
    return { result: first.result, readAt: Math.min(...units.flatMap(readAtOf)), units };
  const { kind: _kind, question: _question, ...answer } = last;
  return before === undefined
    ? answer
    : { ...answer, before: { result: first.result, readAt: first.readAt } };
}

function areTwoDevices(one: Read, other: Read): boolean {
  return relationOf(one.result.device, other.result.device) === 'other';
}

function readAtOf(unit: Unit): number[] {
  return unit.kind === 'ready' ? [unit.readAt] : [];
}
