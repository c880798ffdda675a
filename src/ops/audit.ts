import { statSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { CannotStart, errorCode } from '../core/errors.ts';
import type { Audit } from '../core/lookup.ts';
import { standardOutput } from './standard-output.ts';

/** The most bytes that wait for a full disk. Further lines are dropped. */
const MOST_WAITING = 16 * 1024 * 1024;
const OWNER_ALONE = 0o600;

const REPAIR =
  'check that its folder exists and that the user that runs the bot may write there, or set it to - for standard output';

/** The file of the audit can't be opened. */
class AuditFileUnusable extends CannotStart {
  constructor(file: string, why: string, options?: ErrorOptions) {
    super('AUDIT_FILE', `${file} ${why}`, REPAIR, options);
  }
}

/**
 * Appends one JSON line for each entry to a file that only its owner may read, or to standard output for `-`; without a
 * file writes nothing. The log's level does not matter to it. A line that can't be written is kept for the next try, and
 * the log says so once. `problem` tries again, and gives what keeps lines out of the file. Throws `AuditFileUnusable`.
 */
export function openAudit(file: string | undefined, logger: Logger) {
  if (file === undefined) return { audit: () => {}, problem: async () => undefined };
  const destination = file === '-' ? standardOutput() : fileDestination(file);
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

function fileDestination(dest: string) {
  // To open a pipe without a reader would hold the process.
  const isPipe = statSync(dest, { throwIfNoEntry: false })?.isFIFO() === true;
  if (isPipe) throw new AuditFileUnusable(dest, 'is a pipe');
  try {
    return pino.destination({ dest, mode: OWNER_ALONE, append: true, sync: true, maxLength: MOST_WAITING });
  } catch (error) {
    throw new AuditFileUnusable(dest, `cannot be opened (${errorCode(error)})`, { cause: error });
  }
}
