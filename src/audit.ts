import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Audit, AuditEntry } from './core/audit.ts';
import { CannotStart } from './core/cannot-start.ts';
import { errorCode } from './core/error-code.ts';
import type { Lookup } from './core/lookup.ts';
import { createAudit } from './ops/audit.ts';

/** The file of the audit can't be opened. */
export class AuditFileUnusable extends CannotStart {
  constructor(file: string, code: string, options?: ErrorOptions) {
    super(
      'AUDIT_FILE',
      `${file} cannot be opened (${code})`,
      'check that its folder exists and that this user may write there, or set it to - for standard output',
      options,
    );
  }
}

/** Opens the audit as configured; its first line says who may do what. Throws `AuditFileUnusable`. */
export function openAudit({ auditFile, access, commandsPerMinute }: Config, logger: Logger): Audit {
  const audit = open(auditFile, (error) =>
    logger.error({ err: error }, 'an audit line could not be written'),
  );
  audit({ event: 'started', configuration: { ...access, commandsPerMinute } });
  return audit;
}

function open(file: string | undefined, onError: (error: unknown) => void): Audit {
  try {
    return createAudit(file, onError);
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
