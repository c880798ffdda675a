import { closeSync, constants, fchmodSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { CannotStart, errorCode } from '../core/errors.ts';
import type { Audit } from '../core/lookup.ts';
import { lazily } from '../core/time.ts';

/** The beginning of an info line. There are many of them, and to lose the last ones in a crash does no harm. */
const ROUTINE = '{"level":"info"';
/** The least time between two writes of info lines. Milliseconds. */
const PAUSE_MS = 10;
/** The most bytes that wait while they can't be written: a full disk, or a pipe that nobody reads. Further lines are lost. */
const MOST_WAITING = 16 * 1024 * 1024;
/** How often is tried again what standard output did not take. Milliseconds. */
const TRY_AGAIN_MS = 20;
/** How long the end of the process may wait for a slow reader. Milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Where the log goes, and the audit that has no file: one for both, because a line of the one must not stand in the
 * middle of one of the other. A write never waits: what is not taken now is tried again.
 */
const standardOutput = lazily(() => {
  // Opens it, which is what makes a pipe or a terminal refuse what it can't take. Otherwise it would hold the process.
  void process.stdout;
  let patientUntil = 0;
  const retryEAGAIN = () => performance.now() < patientUntil;
  const out = pino.destination({ fd: 1, sync: true, maxLength: MOST_WAITING, retryEAGAIN });
  let isTriedAgain = false;
  const tryAgain = () => {
    isTriedAgain = false;
    out.write('');
  };
  out.on('error', () => {
    if (!isTriedAgain) setTimeout(tryAgain, TRY_AGAIN_MS).unref();
    isTriedAgain = true;
  });
  process.once('exit', () => {
    patientUntil = performance.now() + LAST_LINES_MS;
    out.write('');
  });
  return out;
});

/**
 * Writes log lines to standard output. Info lines that come within a moment are written together, because a write costs
 * more than a line; any other line is written at once, and the rest when the process ends. `shaped` formats a line. What
 * has no room is lost, and a line says how much. Never throws: the bot answers also where nobody can write a log.
 */
export function logOutput(shaped: (line: string) => string): { write(line: string): void } {
  let waiting = '';
  let written = 0;
  let lost = 0;
  const flush = () => {
    if (waiting === '') return;
    standardOutput().write(waiting);
    waiting = '';
    written = performance.now();
  };
  // Before the last try of what has not been taken yet.
  process.once('exit', flush);
  const out = standardOutput();
  out.on('drop', (lines: string) => {
    lost += lines.split('\n').length - 1;
  });
  out.on('drain', () => {
    if (lost === 0) return;
    const before = lost;
    const msg = `standard output took nothing for a while, and lines are lost: ${before}`;
    lost = 0;
    out.write(shaped(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`));
    // There is no room for this line either.
    if (lost > 0) lost = before;
  });
  return {
    write: (line) => {
      if (waiting === '') setTimeout(flush, Math.max(written + PAUSE_MS - performance.now(), 0));
      waiting += shaped(line);
      if (!line.startsWith(ROUTINE)) flush();
    },
  };
}

const OWNER_ALONE = 0o600;

/** The file of the audit can't be opened. */
export class AuditFileUnusable extends CannotStart {
  constructor(file: string, code: string, options?: ErrorOptions) {
    super(
      'AUDIT_FILE',
      `${file} cannot be opened (${code})`,
      'check that its folder exists, that the file is this user’s own and no pipe that nobody reads, or set it to - for standard output',
      options,
    );
  }
}

/**
 * Appends one JSON line for each entry to a file that only its owner may read, or to standard output for `-`; without a
 * file writes nothing. It is independent of the log and its level: there is only said when a line could not be written,
 * once until it could. `problem` tries again, and gives what keeps lines out of the file. Throws `AuditFileUnusable`.
 */
export function openAudit(
  file: string | undefined,
  logger: Logger,
): { audit: Audit; problem: () => string | undefined } {
  if (file === undefined) return { audit: () => {}, problem: () => undefined };
  try {
    if (file !== '-' && tryAuditFile(file))
      logger.warn({ file }, 'others could write to the file of the audit: now its owner alone can');
    const append = appending(file, (error) =>
      logger.error({ err: error }, 'an audit line could not be written: it waits until it can'),
    );
    return {
      audit: (entry) =>
        void append(`${JSON.stringify({ time: new Date().toISOString(), audit: true, ...entry })}\n`),
      problem: () => {
        const trouble = append('');
        return trouble === undefined ? undefined : `AUDIT_FILE cannot be written (${errorCode(trouble)})`;
      },
    };
  } catch (error) {
    throw new AuditFileUnusable(file, errorCode(error), { cause: error });
  }
}

/**
 * Writes lines, and gives the error that keeps them out of the file, or undefined. What can't be written now is written
 * before the next line; an empty line only tries that again. A file that is renamed is left: the next line goes into a
 * new one.
 */
function appending(file: string, onTrouble: (error: unknown) => void): (line: string) => unknown {
  const options = { mode: OWNER_ALONE, append: true, sync: true, maxLength: MOST_WAITING };
  const destination = file === '-' ? standardOutput() : pino.destination({ dest: file, ...options });
  let trouble: unknown;
  destination.on('error', (error) => {
    trouble = error;
  });
  const identity = () => (file === '-' ? file : identityOf(file));
  let opened = identity();
  return (line) => {
    const before = trouble;
    if (line === '' && before === undefined) return undefined;
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
    return trouble;
  };
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
const OTHERS_WRITE = 0o022;

/**
 * Opens the file once, without waiting: to open a pipe that nobody reads would hold the process for ever. A file that
 * others may write to is closed to them, because they could change what it says, which gives true. Throws if that can't
 * be done.
 */
function tryAuditFile(file: string): boolean {
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
