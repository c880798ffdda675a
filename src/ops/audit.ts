import { closeSync, constants, fchmodSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { pino } from 'pino';
import { standardOutput } from './standard-output.ts';

const OWNER_ALONE = 0o600;
/** The most bytes that wait in memory while they can't be written; further lines are lost. */
const MOST_WAITING = 16 * 1024 * 1024;

/** An audit that is written to a file or to standard output. */
export type AuditLog = {
  /** Writes a line. Never throws: what can't be written now is written before the next line. */
  readonly write: (entry: object) => void;
  /** Tries again to write what waits; gives the error that keeps lines out of the file, or undefined. */
  readonly trouble: () => unknown;
};

/**
 * Appends one JSON line for each entry to a file that only its owner may read, or to standard output for `-`; without a
 * file writes nothing. A file that is renamed is left: the next line goes into a new one. It is independent of the log
 * and its level. `onTrouble` is called when a line could not be written, once until it could. Throws if the file cannot
 * be opened.
 */
export function createAudit(file: string | undefined, onTrouble: (error: unknown) => void): AuditLog {
  if (file === undefined) return { write: () => {}, trouble: () => undefined };
  const options = { mode: OWNER_ALONE, append: true, sync: true, maxLength: MOST_WAITING };
  const destination = file === '-' ? standardOutput() : pino.destination({ dest: file, ...options });
  let trouble: unknown;
  destination.on('error', (error) => {
    trouble = error;
  });
  const identity = () => (file === '-' ? file : identityOf(file));
  let opened = identity();
  const append = (line: string) => {
    const before = trouble;
    trouble = undefined;
    try {
      // Opened first, because `reopen` leaves a listener behind where the file can't be opened.
      if (identity() !== opened) {
        tryAuditFile(file);
        destination.reopen();
        opened = identity();
      }
    } catch (error) {
      trouble = error;
    }
    // Lines that were kept go first.
    if (before !== undefined) destination.write('');
    destination.write(line);
    if (before === undefined && trouble !== undefined) onTrouble(trouble);
  };
  return {
    write: (entry) =>
      append(`${JSON.stringify({ time: new Date().toISOString(), audit: true, ...entry })}\n`),
    trouble: () => {
      if (trouble !== undefined) append('');
      return trouble;
    },
  };
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
const OTHERS_WRITE = 0o022;

/**
 * Opens the file once, without waiting: to open a pipe that nobody reads would hold the process for ever. A file that
 * others may write to is closed to them, because they could change what it says, which gives true. Throws if that can't
 * be done.
 */
export function tryAuditFile(file: string): boolean {
  const opened = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, OWNER_ALONE);
  try {
    const found = fstatSync(opened);
    if (!mayOthersWrite(found)) return false;
    fchmodSync(opened, found.mode & ~OTHERS_WRITE & 0o777);
    return true;
  } finally {
    closeSync(opened);
  }
}

/** Whether it is a file that others than its owner may write to. */
export function mayOthersWrite(found: Stats): boolean {
  return found.isFile() && (found.mode & OTHERS_WRITE) !== 0;
}

/** Which file has that name now, whatever it is called later; undefined if there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
