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

/** What a step of a job led to: its end, or when to go on, in epoch milliseconds. */
export type Step = { readonly done: true } | { readonly done: false; readonly job: Job; readonly at: number };

/** Does one step of a job; `save` writes down what must survive a crash in the middle of it. */
export type Processor = (job: Job, save: (job: Job) => Promise<void>) => Promise<Step>;

/** The life of accepted lookups: each is written down, and worked on until its last step, through restarts. */
export interface LookupQueue {
  /** Writes the job down, then starts it. Throws `StorageFailed`, and then there is no job. */
  add(job: Job): Promise<void>;
  /** Takes a job's next step now, if it waits for one. */
  wake(id: string): Promise<void>;
  /** Works on what is there and on what comes. */
  start(processor: Processor): Promise<void>;
  /** Takes no more steps, and waits at most `ms` for the running ones; what is open stays written down. */
  stop(ms: number): Promise<void>;
  /** Every open job that can be read, for rare work such as erasure. */
  entries(): AsyncIterable<Job>;
  /** Forgets a job without an answer, for erasure. One that takes a step just now may end that first. */
  remove(id: string): Promise<void>;
  /** How many jobs are open. */
  countOpen(): Promise<number>;
  /** When the oldest open job was accepted, in epoch milliseconds; undefined when none is open. */
  oldestAcceptedAt(): Promise<number | undefined>;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** How long to wait before a step that failed for the n-th time in a row is done again. Milliseconds. */
export function backOff(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
