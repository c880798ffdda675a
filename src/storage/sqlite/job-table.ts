import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { REMEMBERED_MS } from '../../core/lookup.ts';
import { orStorageFailed } from '../../core/store.ts';
import { type AnyJob, JOB_KINDS, type JobKind } from '../../lookups/queue.ts';
import { namesIn, type SqliteParts } from './sqlite-store.ts';

/** A job as it is stored. `attempts`: how often its step was begun without an end, which is how often the process died in it. */
export type Row = {
  readonly id: string;
  readonly value: string;
  readonly failures: number;
  readonly attempts: number;
};

const THIS = 'WHERE kind = ? AND id = ?';
const ROW = 'SELECT id, value, failures, attempts FROM jobs';
const DUE = `${ROW} WHERE kind = ? AND due <= ? ORDER BY due LIMIT ?`;
const CUT_OFF = `${ROW} WHERE kind = ? AND due IS NULL ORDER BY attempts`;
const ADD = 'INSERT INTO jobs (kind, id, accepted, value, due, attempts) VALUES (?, ?, ?, ?, ?, ?)';
const BEGIN = `UPDATE jobs SET due = NULL, attempts = attempts + 1 ${THIS}`;
const DELAY = `UPDATE jobs SET due = ? ${THIS}`;
const MAKE_DUE = `UPDATE jobs SET due = ? ${THIS} AND due IS NOT NULL`;
const DUE_TOO_LATE = 'UPDATE jobs SET due = ? WHERE kind = ? AND due > ?';
const SAVE = `UPDATE jobs SET value = ? ${THIS}`;
const PUT_OFF = `UPDATE jobs SET value = ?, due = ?, failures = ?, attempts = 0 ${THIS}`;
const GIVE_BACK = `UPDATE jobs SET attempts = max(1, attempts - 1) ${THIS}`;
const END = `DELETE FROM jobs ${THIS}`;

/** The jobs of one kind in the embedded file. A job without a due time takes a step. All functions throw `storage-failed`. */
export function jobTable(kind: JobKind, { turns, now }: SqliteParts) {
  const deliveries = namesIn('deliveries', { turns, now });
  const write = <T>(work: () => T) => orStorageFailed(() => turns.write(work));
  const change = (sql: string, id: string, ...values: SQLInputValue[]) =>
    write(() => turns.run(sql, ...values, kind, id));
  const rows = (sql: string, ...values: SQLInputValue[]) =>
    orStorageFailed(() => turns.all(sql, ...values).map(rowOf));
  const figure = (what: string, where = '') =>
    orStorageFailed(() => {
      const found = turns.get(`SELECT ${what} AS figure FROM jobs WHERE kind = ? ${where}`, kind)?.figure;
      return typeof found === 'number' ? found : undefined;
    });
  return {
    /** Stores a job and its delivery; false if that was stored before. `isBegun`: its first step begins now. */
    add: ({ id, delivery, acceptedAt }: AnyJob, sealed: string, isBegun: boolean) =>
      write(() => {
        if (delivery !== undefined && !deliveries.take(delivery, REMEMBERED_MS)) return false;
        const [due, attempts] = isBegun ? [null, 1] : [now(), 0];
        return turns.run(ADD, kind, id, acceptedAt, sealed, due, attempts) > 0;
      }),
    remember: (delivery: string) => write(() => deliveries.take(delivery, REMEMBERED_MS)),
    remembers: (delivery: string) => orStorageFailed(() => deliveries.left(delivery) > 0),
    find: async (id: string) => (await rows(`${ROW} ${THIS}`, kind, id))[0],
    all: () => rows(`${ROW} WHERE kind = ?`, kind),
    /** Those whose step was begun and has not ended. */
    cutOff: () => rows(CUT_OFF, kind),
    due: (most: number) => rows(DUE, kind, now(), most),
    // Without this condition SQLite would not use its index, and read every job.
    nextDueAt: () => figure('min(due)', 'AND due IS NOT NULL'),
    count: async () => (await figure('count(*)')) ?? 0,
    oldestAcceptedAt: () => figure('min(accepted)'),
    begin: (id: string) => change(BEGIN, id),
    delay: (id: string, ms: number) => change(DELAY, id, now() + ms),
    makeDue: (id: string) => change(MAKE_DUE, id, now()),
    /** What is due later than any job may be put off was put off before the clock stepped: it is due now. */
    makeDueInTime: async () => {
      const { longestPauseMs } = JOB_KINDS[kind];
      const at = now();
      if (longestPauseMs !== undefined)
        await write(() => turns.run(DUE_TOO_LATE, at, kind, at + longestPauseMs));
    },
    save: (id: string, sealed: string) => change(SAVE, id, sealed),
    /** The step has ended: stores when the next one is due. */
    putOff: (id: string, sealed: string, pauseMs: number, failures: number) =>
      change(PUT_OFF, id, sealed, now() + pauseMs, failures),
    /** A stop cuts the step off: it counts no death more. */
    giveBack: (id: string) => change(GIVE_BACK, id),
    end: (id: string) => change(END, id),
  };
}

function rowOf({ id, value, failures, attempts }: Record<string, SQLOutputValue>): Row {
  return { id: String(id), value: String(value), failures: Number(failures), attempts: Number(attempts) };
}
