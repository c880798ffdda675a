import type { Named } from '../core/comparing.ts';
import type { Destination, Lookup, Question } from '../core/lookup.ts';
import type { UnitState } from './lookup-status.ts';

/** A lookup with the state of its work. */
export type Job = Lookup & {
  /** Identifies the content of the message in Slack; absent before the first message. */
  readonly shown?: string;
  /** The state of each snapshot, in the order of the questions; absent before the first step. */
  readonly units?: readonly UnitState[];
};

/** The fields of every job. `acceptedAt`: epoch milliseconds. `delivery`: its id, as Slack may repeat it. */
export type AnyJob = { readonly id: string; readonly acceptedAt: number; readonly delivery?: string };

/** What a follow reports: changed hits (`grave`: critical and high ones), a newer snapshot of the device, or a set time. */
export const FOLLOW_KINDS = ['grave', 'any', 'newer', 'hour', 'tomorrow', 'week'] as const;
export type FollowKind = (typeof FOLLOW_KINDS)[number];

/** The hits that a person was last told of, and when (epoch milliseconds). Hits are absent if not all are known. */
export type Known = { readonly at: number; readonly hits?: readonly Named[] };

/** A snapshot that a person follows, and the state of the follow. Times are epoch milliseconds. */
export type Follow = AnyJob & {
  readonly user: string;
  readonly question: Question;
  readonly kind: FollowKind;
  /** When the next step is due. */
  readonly at: number;
  /** When the follow ends at the latest; for a reminder, the time that the person chose. */
  readonly until: number;
  /** The followed message. Without `messageTs`, `channel` is the person's id, for direct messages. */
  readonly origin: Pick<Destination, 'channel' | 'threadTs' | 'messageTs'>;
  /** The host name of the device, or ''. */
  readonly host: string;
  /** The key of the device, if the follow waits for a newer snapshot of it. */
  readonly device?: string;
  readonly known: Known;
  /** A message that was sent but not confirmed. `known`: the hits that it reports; absent for the follow's last message. */
  readonly unconfirmed?: {
    readonly at: number;
    readonly where: { readonly channel: string; readonly threadTs?: string };
    readonly known?: Known;
  };
};

/**
 * The kinds of jobs. `version`: the version of the stored format; jobs of other versions stay stored. `longestPauseMs`:
 * the longest pause between two steps; a job that is due after a longer pause is due now: the clock jumped.
 */
export const JOB_KINDS: Readonly<Record<JobKind, JobKindSpec>> = {
  lookup: { version: 5, longestPauseMs: 10 * 60_000 },
  follow: { version: 2 },
};
export type JobKind = 'lookup' | 'follow';
export type JobKindSpec = { readonly version: number; readonly longestPauseMs?: number };

/** The outcome of a step: the job is done, or its next step is due at `at` (epoch milliseconds). */
export type Step<J extends AnyJob = Job> =
  | { readonly done: true }
  | { readonly done: false; readonly job: J; readonly at: number };

/** One attempt to do a step. */
export type Try<J extends AnyJob = Job> = {
  /** Stores state that must survive a crash during the step. Throws if another replica may have taken over the job. */
  readonly save: (job: J) => Promise<void>;
  /** Makes sure that this process still holds the job. Throws if another replica may have taken it over. */
  readonly confirm: () => Promise<void>;
  /** How often the process died during this step. A shutdown counts only while the number is 0. */
  readonly deaths: number;
  /** Whether an earlier attempt of this step may have done parts of it. */
  readonly isRepeated: boolean;
};

/** When steps may start. */
export type StepRules<J extends AnyJob = Job> = {
  /** Whether a stored job may start a step now. In a single process, new jobs start in any case. */
  readonly hasRoom?: () => boolean;
  /** Called at the start with each job whose step was interrupted by the death of the previous process. */
  readonly onCutOff?: (job: J) => void;
};

/** Does one step of a job. */
export type Processor<J extends AnyJob = Job> = (job: J, attempt: Try<J>) => Promise<Step<J>>;

/** The jobs of one kind. A job is stored, and continues through restarts until its last step. */
export interface JobQueue<J extends AnyJob> {
  /**
   * Stores the job and its delivery together, then starts the job. If the delivery was stored within the last day,
   * stores nothing and returns false. Throws `storage-failed` if the job was not stored.
   */
  add(job: J): Promise<boolean>;
  /** Stores a delivery that needs no job; false if it was stored before. Throws `storage-failed`. */
  remember(delivery: string): Promise<boolean>;
  /** Whether a delivery was stored. Throws `storage-failed`. */
  remembers(delivery: string): Promise<boolean>;
  /** A job in progress; undefined after its end. Throws `storage-failed`, also if the job can't be read. */
  find(id: string): Promise<J | undefined>;
  /** Makes the next step of a job due now, or right after its running step. */
  wake(id: string): Promise<void>;
  /**
   * Starts the steps of stored and new jobs. Interrupted steps are repeated one at a time: if a step kills the process
   * again, the other jobs still end.
   */
  start(processor: Processor<J>, rules?: StepRules<J>): Promise<void>;
  /** All jobs in progress that can be read, for rare work such as erasure. */
  entries(): AsyncIterable<J>;
  /** Deletes a job for erasure; its request gets no answer. A running step may still end. */
  remove(id: string): Promise<void>;
  countOpen(): Promise<number>;
  /** When the oldest job in progress was accepted, in epoch milliseconds; undefined if there is none. */
  oldestAcceptedAt(): Promise<number | undefined>;
}

export type LookupQueue = JobQueue<Job>;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** The pause before the retry of a step that failed n times in a row. Milliseconds. */
export function backOff(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
