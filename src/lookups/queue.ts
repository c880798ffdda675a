import type { Lookup } from '../core/lookup.ts';

/** A lookup with what has been shown of it so far. */
export type Job = Lookup & {
  /** What the message in Slack says now, as a key; absent while there is none. */
  readonly shown?: string;
  /** Since when it is known to be waiting, once the service said so. Epoch milliseconds. */
  readonly waitingSince?: number;
  /** How many requests in a row have failed. */
  readonly troubles?: number;
};

/** What every kind of job has. `acceptedAt` is epoch milliseconds. */
export type AnyJob = { readonly id: string; readonly acceptedAt: number };

/** How jobs of one kind are stored. */
export type JobFormat<J extends AnyJob> = {
  /** Names the queue in its store. */
  readonly name: 'lookups' | 'reminders';
  /** Goes up when the shape of the jobs changes. */
  readonly version: number;
  /** The last version that was sealed to no place, if there was one. */
  readonly unboundVersion?: number;
  /** A job as that version stored it. Throws for a version that is newer than this one. */
  readonly read: (version: number, stored: unknown) => J;
};

/** What a step of a job led to: its end, or when to go on, in epoch milliseconds. */
export type Step<J extends AnyJob = Job> =
  | { readonly done: true }
  | { readonly done: false; readonly job: J; readonly at: number };

/** Does one step of a job; `save` writes down what must survive a crash in the middle of it. */
export type Processor<J extends AnyJob = Job> = (job: J, save: (job: J) => Promise<void>) => Promise<Step<J>>;

/** The life of jobs of one kind: each is written down, and worked on until its last step, through restarts. */
export interface JobQueue<J extends AnyJob> {
  /** Writes the job down, then starts it. Throws `StorageFailed`, and then there is no job. */
  add(job: J): Promise<void>;
  /** Takes a job's next step now, if it waits for one. */
  wake(id: string): Promise<void>;
  /** Works on what is there and on what comes. */
  start(processor: Processor<J>): Promise<void>;
  /** Takes no more steps, and waits at most `ms` for the running ones; what is open stays written down. */
  stop(ms: number): Promise<void>;
  /** Every open job that can be read, for rare work such as erasure. */
  entries(): AsyncIterable<J>;
  /** Forgets a job without an answer, for erasure. One that takes a step just now may end that first. */
  remove(id: string): Promise<void>;
  /** How many jobs are open. */
  countOpen(): Promise<number>;
  /** When the oldest open job was accepted, in epoch milliseconds; undefined when none is open. */
  oldestAcceptedAt(): Promise<number | undefined>;
}

/** The queue of accepted lookups. */
export type LookupQueue = JobQueue<Job>;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** How long to wait before a step that failed for the n-th time in a row is done again. Milliseconds. */
export function backOff(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
