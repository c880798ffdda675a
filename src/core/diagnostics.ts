/** A knowledge-base article; `id` is what the service, or else the address, calls it. */
export type Solution = { readonly url: string; readonly id?: string };

/** One diagnostic of a snapshot (specification, 2.3), all text already plain. Absent and empty texts are ''. */
export type Diagnostic = {
  readonly name: string;
  readonly isHit: boolean;
  /** As the service wrote it; compare and order through `importance.ts`. */
  readonly importance: string;
  readonly title: string;
  readonly summary: string;
  readonly action: string;
  /** Ordered: each block may build on the earlier ones. */
  readonly output: readonly string[];
  readonly solutions: readonly Solution[];
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
export type StatedCounts = { readonly hits?: number; readonly misses?: number };

/** The analysis of one snapshot, as read from one document. */
export type DiagnosticsResult = {
  readonly sha1: string;
  readonly device: Device;
  readonly software: Software;
  readonly stated: StatedCounts;
  readonly diagnostics: readonly Diagnostic[];
};
