import type { Lookup } from './lookup.ts';

/** One entry of the audit: who did what, and when. It never holds a text of a result or what a person typed. */
export type AuditEntry = {
  readonly event:
    | 'started'
    | 'accepted'
    | 'refused'
    | 'answered'
    | 'browsed'
    | 'cancelled'
    | 'on it'
    | 'reminder'
    | 'shared'
    | 'exported';
  readonly user?: string;
  readonly channel?: string | undefined;
  readonly snapshot?: string;
  /** The earlier snapshot of a comparison. */
  readonly before?: string;
  readonly lookup?: string;
  readonly outcome?: string;
  /** Written at the start: the settings that say who may do what. */
  readonly configuration?: Readonly<Record<string, unknown>>;
};

/** Writes an entry. Never throws: an entry that cannot be written is reported in the log. */
export type Audit = (entry: AuditEntry) => void;

/** The fields that describe a lookup. */
export function auditedOf({ id, askedBy, destination, question, before }: Lookup): Omit<AuditEntry, 'event'> {
  return {
    lookup: id,
    user: askedBy,
    channel: destination.channel,
    snapshot: question.snapshotId,
    ...(before !== undefined && { before: before.snapshotId }),
  };
}
