import { RedisConnection } from 'bullmq';
import { Redis } from 'ioredis';
import type { AllNames, Sealer } from '../backend/sealer.ts';
import { CONNECT_TIMEOUT_MS, durablyOn, PREFIX, pauseBefore } from './redis-connection.ts';

/** A connection that is silent for longer than the longest block of a worker is replaced. */
const SILENT_MS = 4_000;
const KEEP_ALIVE_MS = 5_000;

/**
 * What BullMQ takes Redis for where it does not ask (`skipVersionCheck`): an INFO that is refused, once, would keep it from
 * working until the next start. With its own 5.0 it would block for whole seconds, and take jobs late.
 */
RedisConnection.minimumVersion = '6.2.0';

/**
 * A connection of BullMQ's, and what confirms the writes on it. While Redis is away, the commands of a worker wait; those
 * that add jobs fail, because one that was refused must not run later.
 */
export function bullConnection(url: string, whileAway: 'fail' | 'wait') {
  const isPatient = whileAway === 'wait';
  const options = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: pauseBefore,
    keepAlive: KEEP_ALIVE_MS,
    socketTimeout: SILENT_MS,
    enableOfflineQueue: isPatient,
    autoResendUnfulfilledCommands: isPatient,
    maxRetriesPerRequest: isPatient ? null : 0,
  };
  const client = withErrorListener(new Redis(url, options));
  let sockets = 0;
  client.on('connect', () => {
    sockets += 1;
  });
  const send = (word = '', ...words: string[]) => client.call(word, ...words);
  return { client, durably: durablyOn(() => sockets, send) };
}

/** Callers and BullMQ get the errors too; without a listener, ioredis writes them to the standard error. */
function withErrorListener(client: Redis): Redis {
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => withErrorListener(duplicate(override));
  return client.on('error', () => {});
}

export type BullOptions = {
  readonly url: string;
  readonly sealer: Sealer;
  readonly names: () => Promise<AllNames>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called with failed steps and with unreadable jobs (once each), and without an id for errors of the connection. */
  readonly onError: (error: unknown, jobId: string | undefined) => void;
};

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
