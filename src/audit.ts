import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Audit, AuditEntry } from './core/audit.ts';
import { CannotStart } from './core/cannot-start.ts';
import { errorCode } from './core/error-code.ts';
import type { Lookup } from './core/lookup.ts';
import { type AuditLog, createAudit, tryAuditFile } from './ops/audit.ts';

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

type OpenAudit = {
  readonly audit: Audit;
  /** What keeps lines out of the file now, after another try; undefined if nothing does. */
  readonly problem: () => string | undefined;
};

/** Opens the audit as configured; its first line says who may do what. Throws `AuditFileUnusable`. */
export function openAudit({ auditFile, access, commandsPerMinute }: Config, logger: Logger): OpenAudit {
  const { write, trouble } = open(auditFile, logger);
  write({ event: 'started', configuration: { ...access, commandsPerMinute } });
  const problem = () => {
    const error = trouble();
    return error === undefined ? undefined : `AUDIT_FILE cannot be written (${errorCode(error)})`;
  };
  return { audit: write, problem };
}

function open(file: string | undefined, logger: Logger): AuditLog {
  try {
    if (file !== undefined && file !== '-' && tryAuditFile(file))
      logger.warn({ file }, 'others could write to the file of the audit: now its owner alone can');
    return createAudit(file, (error) =>
      logger.error({ err: error }, 'an audit line could not be written: it waits until it can'),
    );
  } catch (error) {
    throw new AuditFileUnusable(file ?? '', errorCode(error), { cause: error });
  }
}

/** The fields that describe a lookup in the audit. */
export function auditedOf({ id, askedBy, destination, question, before }: Lookup): Omit<AuditEntry, 'event'> {
  const compared = before === undefined ? {} : { before: before.snapshotId };
  return {
    lookup: id,
    user: askedBy,
    channel: destination.channel,
    snapshot: question.snapshotId,
    ...compared,
  };
}
