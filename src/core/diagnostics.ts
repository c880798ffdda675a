/** A knowledge-base article. `url` is text from the service and may be no valid address; `id` is the service's name for it. */
export type Solution = { readonly url: string; readonly id?: string };

/**
 * What the document says of a diagnostic: it is a hit, its check passed, or nothing that can be read. Then it counts as
 * neither.
 */
export type Match = 'hit' | 'miss' | 'unstated';

/** One diagnostic of a snapshot (specification, 2.3), all text already plain. Absent and empty texts are ''. */
export type Diagnostic = {
  readonly name: string;
  /** The document's second name (`h_name`), where it differs. */
  readonly otherName?: string;
  readonly match: Match;
  /** As the service wrote it; compare and order through `importance.ts`. */
  readonly importance: string;
  readonly title: string;
  /** With its line breaks: paragraphs, and the steps and items of lists as `1. …` and `- …` on lines of their own. */
  readonly summary: string;
  /** With its line breaks, like the summary. */
  readonly action: string;
  /** Ordered: each block may build on the earlier ones. Lines and columns as they stand. */
  readonly output: readonly string[];
  readonly solutions: readonly Solution[];
  /** As the service lists them, or, where it lists none, those that the title names. */
  readonly cveIds: readonly string[];
  /** Versions such as `17.1.3.4`. */
  readonly fixedIn: readonly string[];
};

/** The device that a snapshot was taken from; absent texts are ''. */
export type Device = {
  readonly hostname: string;
  readonly chassisSerial: string;
  readonly platform: string;
};

/** The software that ran on it; absent texts are ''. */
export type Software = {
  readonly product: string;
  readonly version: string;
  readonly edition: string;
  readonly built: string;
};

/** What the service says it counted, over the whole analysis, whatever `set` was asked for. */
export type StatedCounts = { readonly hits?: number | undefined; readonly misses?: number | undefined };

/** The analysis of one snapshot, as read from one document. */
export type DiagnosticsResult = {
  readonly sha1: string;
  readonly device: Device;
  readonly software: Software;
  readonly stated: StatedCounts;
  readonly diagnostics: readonly Diagnostic[];
  /** Of a document that is too large to keep: how many characters of each long text are kept. Absent if all are. */
  readonly readTo?: number;
};
