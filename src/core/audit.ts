/** What is worth knowing afterwards of who did what: no text of a result, no word that somebody typed. */
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
  /** At the start: the settings that say who may do what. */
  readonly configuration?: Readonly<Record<string, unknown>>;
};

/** Writes an entry down. Never throws: what can't be written is said in the log. */
export type Audit = (entry: AuditEntry) => void;
