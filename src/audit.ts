import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Audit, AuditEntry } from './core/audit.ts';
import type { Lookup } from './core/lookup.ts';
import { createAudit } from './ops/audit.ts';

/** Opens the audit as configured; its first line says who may do what. Throws if its file cannot be opened. */
export function openAudit({ auditFile, access, commandsPerMinute }: Config, logger: Logger): Audit {
  const audit = createAudit(auditFile, (error) =>
    logger.error({ err: error }, 'an audit line could not be written'),
  );
  audit({ event: 'started', configuration: { ...access, commandsPerMinute } });
  return audit;
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
