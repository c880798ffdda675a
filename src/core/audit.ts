/** One entry of the audit: who did what, and when. It never holds a text of a result or what a person typed. */
export type AuditEntry = {
  readonly event:
    | 'started'
    | 'accepted'
    | 'refused'
    | 'answered'
    | 'browsed'
    | 'previewed'
    | 'cancelled'
    | 'on it'
    | 'reminder'
    | 'watch'
    | 'shared'
    | 'hit accepted'
    | 'exported';
  readonly user?: string;
  readonly channel?: string | undefined;
  readonly snapshot?: string;
  /** The earlier snapshot of a comparison. */
  readonly before?: string;
  /** The snapshots that the answer shows beside it. */
  readonly others?: readonly string[];
  readonly lookup?: string;
  readonly outcome?: string;
  /** Written at the start: the settings that say who may do what. */
  readonly configuration?: Readonly<Record<string, unknown>>;
};

/** Writes an entry. Never throws: an entry that cannot be written is reported in the log. */
export type Audit = (entry: AuditEntry) => void;
