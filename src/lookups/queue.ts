import type { Lookup } from '../core/lookup.ts';

/** A lookup with what has been shown of it so far. */
export type Job<Place> = Lookup<Place> & {
  /** What the message in Slack says now, as a key; absent while there is none. */
  readonly shown?: string;
  /** Since when it is known to be waiting, once the service said so. Epoch milliseconds. */
  readonly waitingSince?: number;
  /** How many requests in a row have failed. */
  readonly troubles?: number;
};

/** What a step of a job led to: its end, or when to go on, in epoch milliseconds. */
export type Step<Place> =
  | { readonly done: true }
  | { readonly done: false; readonly job: Job<Place>; readonly at: number };

/** Does one step of a job; `save` writes down what must survive a crash in the middle of it. */
export type Worker<Place> = (
  job: Job<Place>,
  save: (job: Job<Place>) => Promise<void>,
) => Promise<Step<Place>>;

/** The life of accepted lookups: each is written down, and worked on until its last step, through restarts. */
export interface LookupQueue<Place> {
  /** Writes the job down, then starts it. Throws `StorageFailed`, and then there is no job. */
  add(job: Job<Place>): Promise<void>;
  /** Takes a job's next step now, if it waits for one. */
  wake(id: string): Promise<void>;
  /** Works on what is there and on what comes. */
  start(worker: Worker<Place>): Promise<void>;
  /** Takes no more steps, and waits at most `ms` for the running ones; what is open stays written down. */
  stop(ms: number): Promise<void>;
  /** How many jobs are open. */
  countOpen(): Promise<number>;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** How long to wait before a step that failed for the n-th time in a row is done again. Milliseconds. */
export function backOff(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
}
