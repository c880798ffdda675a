import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Logger, pino } from 'pino';
import { CannotStart, errorCode } from '../core/errors.ts';
import type { Audit } from '../core/lookup.ts';
import { MOST_WAITING, standardOutput } from './logging.ts';

const OWNER_ALONE = 0o600;
const REPAIR =
  'check that its folder exists and that the user that runs the bot may write there, or set it to - for standard output';

/** The audit file can't be opened. */
class AuditFileUnusable extends CannotStart {}

/** Throws `AuditFileUnusable` if the bot can't append to the file; does not create it. */
export function checkAuditFile(file = '-'): void {
  if (file === '-') return;
  const fail = (why: string, options?: ErrorOptions) =>
    new AuditFileUnusable('AUDIT_FILE', `${file} ${why}`, REPAIR, options);
  try {
    const is = statSync(file, { throwIfNoEntry: false });
    // Opening a named pipe without a reader would block the process.
    if (is?.isFIFO() || is?.isDirectory()) throw fail('is a pipe or a folder');
    accessSync(existsSync(file) ? file : `${dirname(file)}/`, constants.W_OK);
  } catch (cause) {
    throw cause instanceof CannotStart ? cause : fail(`cannot be opened (${errorCode(cause)})`, { cause });
  }
}

/**
 * Writes each entry as a JSON line, independent of the log level: to a file that only its owner may read, to standard
 * output for `-`, or nowhere without a file. Keeps lines that can't be written for the next attempt, and logs the first
 * failure. `problem` tries again, and returns why lines can't be written. Throws `AuditFileUnusable`.
 */
export function openAudit(file: string | undefined, logger: Logger) {
  if (file === undefined) return { audit: () => {}, problem: async () => undefined };
  checkAuditFile(file);
  const options = { mode: OWNER_ALONE, append: true, sync: true, maxLength: MOST_WAITING };
  const destination = file === '-' ? standardOutput() : pino.destination({ dest: file, ...options });
  let trouble: unknown;
  destination.on('write', () => {
    trouble = undefined;
  });
  destination.on('error', (error: unknown) => {
    if (trouble === undefined)
      logger.error({ err: error }, 'an audit line could not be written: it waits until it can');
    trouble = error;
  });
  const audit: Audit = (entry) => {
    destination.write(`${JSON.stringify({ time: new Date().toISOString(), audit: true, ...entry })}\n`);
  };
  return {
    audit,
    problem: async () => {
      if (trouble !== undefined) destination.write('');
      return trouble === undefined ? undefined : `AUDIT_FILE cannot be written (${errorCode(trouble)})`;
    },
  };
}
