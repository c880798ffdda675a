import { PREFIX } from './redis-connection.ts';

/** What Redis holds of a job: sealed, and what is known of the step that it takes next. */
export type StoredJob = {
  readonly sealed: string;
  /** How often it has failed in a row. */
  readonly failures: number;
  /** How often BullMQ had found the job without a living replica when the step before ended; `FIRST` before that. */
  readonly stalls: number;
  /** How often the step was begun since a replica died in it for the first time. */
  readonly begun: number;
};

/** The replica that accepted the job takes its first step; if another one comes to take it, that replica has died. */
export const FIRST = -1;

/** A job of which this replica takes a step. */
export type Held = {
  /** What `StoredJob` has to say of stalls once the step has ended. */
  readonly stalls: number;
  /** Stores it. Throws if another replica has begun the job since: it has gone on with what was stored then. */
  write(stored: StoredJob): Promise<void>;
  /** Stores it, and when its next step is due. */
  later(stored: StoredJob, pauseMs: number): Promise<void>;
};

/** Opens a job of a kind, and gives what takes its step; undefined if it cannot be read. */
export type Prepare = (
  id: string,
  stored: StoredJob,
) => ((held: Held, deaths: number) => Promise<'done' | 'later'>) | undefined;

/** The lease of the replica that accepted a job, while it takes the first step. */
export function firstLease(jobId: string): string {
  return `${PREFIX}:first:${jobId}`;
}

/** The mark of a job that is to be woken at the end of the step that it takes now. */
export function wakeMark(jobId: string): string {
  return `${PREFIX}:woken:${jobId}`;
}
