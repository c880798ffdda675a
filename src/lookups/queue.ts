import type { Named } from '../core/comparing.ts';
import type { Destination, Lookup, Question } from '../core/lookup.ts';
import type { UnitState } from './lookup-status.ts';

/** A lookup, with the state of its work. */
export type Job = Lookup & {
  /** Identifies what the message in Slack says now; absent while there is no message. */
  readonly shown?: string;
  /** When the service first answered 202, in epoch milliseconds. */
  readonly waitingSince?: number;
  /** The state of each of its snapshots, in the order of its questions; absent before the first step. */
  readonly units?: readonly UnitState[];
};

/** What every kind of job has. `acceptedAt` is epoch milliseconds; `delivery` names what Slack may deliver again. */
export type AnyJob = { readonly id: string; readonly acceptedAt: number; readonly delivery?: string };

/** What a person who follows a snapshot wants to hear of: changes of its hits, a newer one of its device, or a time. */
export const FOLLOW_KINDS = ['grave', 'any', 'newer', 'hour', 'tomorrow', 'week'] as const;
export type FollowKind = (typeof FOLLOW_KINDS)[number];

/** The hits that a person has seen, and when (epoch ms); without hits where the analysis did not list them all. */
export type Known = { readonly at: number; readonly hits?: readonly Named[] };

/** A snapshot that a person follows, with the state of the follow. Times are epoch milliseconds. */
export type Follow = AnyJob & {
  readonly user: string;
  readonly question: Question;
  readonly kind: FollowKind;
  /** When its next step is due. */
  readonly at: number;
  /** When it ends by itself at the latest, or the time that the person chose. */
  readonly until: number;
  /** The message that was followed; without a timestamp the channel is the person, who gets a direct message. */
  readonly origin: Pick<Destination, 'channel' | 'threadTs' | 'messageTs'>;
  /** The name of the host; '' if it is not known. */
  readonly host: string;
  /** The key of its device, if it waits for a newer snapshot of that. */
  readonly device?: string;
  readonly known: Known;
  /**
   * A message whose post is unconfirmed, and what the person knows if it arrived; without `known` it was the last
   * message.
   */
  readonly unconfirmed?: {
    readonly at: number;
    readonly where: { readonly channel: string; readonly threadTs?: string };
    readonly known?: Known;
  };
};

/**
 * The kinds of jobs. `version` is that of their shape: a job of another version is left alone. `longestPauseMs`: no
 * step is put off for longer; a job that seems to be due later is due now, because a clock stepped.
 */
export const JOB_KINDS: Readonly<Record<JobKind, JobKindSpec>> = {
  lookup: { version: 5, longestPauseMs: 10 * 60_000 },
  follow: { version: 2 },
};
export type JobKind = 'lookup' | 'follow';
export type JobKindSpec = { readonly version: number; readonly longestPauseMs?: number };

/** The outcome of a step: the job is done, or when its next step is due (epoch ms). */
export type Step<J extends AnyJob = Job> =
  | { readonly done: true }
  | { readonly done: false; readonly job: J; readonly at: number };

/** A try of a step. */
export type Try<J extends AnyJob = Job> = {
  /** Stores what must survive a crash during the step. Throws if another replica may have taken the job over. */
  readonly save: (job: J) => Promise<void>;
  /** Makes sure that this process still holds the job; throws as `save`. */
  readonly confirm: () => Promise<void>;
  /**
   * How many times the process died in this step. A stop that cut it off counts as one death at least, and adds none to
   * earlier ones.
   */
  readonly deaths: number;
  /** Whether the step was begun before: parts of it may be done. */
  readonly isRepeated: boolean;
};

/** How steps are taken. */
export type StepRules<J extends AnyJob = Job> = {
  /** Whether a stored job may begin a step now. With one process, a job that is added begins all the same. */
  readonly hasRoom?: () => boolean;
  /** Called before any step begins, with each job whose step was cut off by the death of the previous process. */
  readonly onCutOff?: (job: J) => void;
};

/** Takes one step of a job. */
export type Processor<J extends AnyJob = Job> = (job: J, attempt: Try<J>) => Promise<Step<J>>;

/** The jobs of one kind: each is written down, and worked on until its last step, through restarts. */
export interface JobQueue<J extends AnyJob> {
  /**
   * Stores the job together with the name of its delivery, then starts it. False, and nothing is stored, if that delivery
   * was stored within a day. Throws `storage-failed` if it was not stored.
   */
  add(job: J): Promise<boolean>;
  /** Stores a delivery that needs no job; false if it was stored before. Throws `storage-failed`. */
  remember(delivery: string): Promise<boolean>;
  /** Whether a delivery was stored. Throws `storage-failed`. */
  remembers(delivery: string): Promise<boolean>;
  /** An open job; undefined if it has ended or is not stored. Throws `storage-failed`, also for one that cannot be read. */
  find(id: string): Promise<J | undefined>;
  /** Takes a job's next step now, or right after the present one. */
  wake(id: string): Promise<void>;
  /**
   * Starts to take the steps of stored and new jobs. Steps in which the process died are taken one after another: if one
   * of them kills the process, the others still end.
   */
  start(processor: Processor<J>, rules?: StepRules<J>): Promise<void>;
  /** Every open job that can be read, for rare work such as erasure. */
  entries(): AsyncIterable<J>;
  /** Deletes a job without an answer, for erasure. A step that is running may still finish. */
  remove(id: string): Promise<void>;
  countOpen(): Promise<number>;
  /** When the oldest open job was accepted, in epoch milliseconds; undefined when none is open. */
  oldestAcceptedAt(): Promise<number | undefined>;
}

export type LookupQueue = JobQueue<Job>;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** How long to wait before a step that failed for the n-th time in a row is retried. Milliseconds. */
export function backOff(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
