import { fold } from './texts.ts';

/** The identifier of a snapshot: a decimal string whose leading zeros count (specification, 4.2). */
export type SnapshotId = string & { readonly snapshotId: true };

/** Seven digits in 2014, eight today; 20 are enough for a counter of 64 bits. */
const SNAPSHOT_ID = /^\d{1,20}$/;

/** Whether a text is a snapshot id. */
export function isSnapshotId(text: string): text is SnapshotId {
  return SNAPSHOT_ID.test(text);
}

/** Whether a snapshot was uploaded before another one: ids grow with time, and are numbers of any length. */
export function isEarlier(one: SnapshotId, other: SnapshotId): boolean {
  return BigInt(one) < BigInt(other);
}

/** Which diagnostics are asked for; `all` is the request without a `set` (specification, 4.2). */
export const DIAGNOSTIC_SETS = ['all', 'hit', 'miss'] as const;
export type DiagnosticSet = (typeof DIAGNOSTIC_SETS)[number];

/** A knowledge-base article. `url` is text from the service and may be no valid address; `id` is the service's name for it. */
export type Solution = { readonly url: string; readonly id?: string };

/** What a diagnostic is: a hit, or a check that passed. */
export type Match = 'hit' | 'miss';

/** One diagnostic of a snapshot (specification, 2.3), all text already plain. Absent and empty texts are ''. */
export type Diagnostic = {
  readonly name: string;
  /** The document's second name (`h_name`), where it differs. */
  readonly otherName?: string;
  readonly match: Match;
  /** Set if the document does not say whether it is a hit: then it counts as one, and the report says so. */
  readonly isMatchUnstated?: true;
  /** As the service wrote it; compare and order through `importance.ts`. */
  readonly importance: string;
  readonly title: string;
  /** With its line breaks: paragraphs, and the steps and items of lists as `1. …` and `- …` on lines of their own. */
  readonly summary: string;
  /** With its line breaks, like the summary. */
  readonly action: string;
  /** Ordered: each block may build on the earlier ones. Lines and columns as they stand. */
  readonly output: readonly string[];
  /** Without duplicates, like the CVEs and the versions. */
  readonly solutions: readonly Solution[];
  /** As the service lists them; if it lists none, those in the title. */
  readonly cveIds: readonly string[];
  /** Versions such as `17.1.3.4`. */
  readonly fixedIn: readonly string[];
  /** The day (2026-05-12) on which a CVE of this hit was added to the operator's catalogue of exploited ones. */
  readonly exploitedSince?: string;
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
  /** When the catalogue that marks its hits as exploited was released (epoch ms); absent without a catalogue. */
  readonly exploitedAsOf?: number;
};

/** Goes up with every change of these types: kept results of another version are read again. */
export const RESULT_VERSION = 7;

const PUNCTUATION = /[^\p{L}\p{N}]+/gu;
/** `00000000`, `xxxxxx`: one character, however often. */
const ONE_CHARACTER = /^(.)\1*$/u;
const COUNTED_UP = '01234567890';

/**
 * The normalized serial number that identifies a device. Undefined if the document holds none: makers, hypervisors and
 * anonymizing tools write words without a digit in its place (`To Be Filled By O.E.M.`, `REDACTED`), zeros or `12345`.
 */
export function serialOf({ chassisSerial }: Pick<Device, 'chassisSerial'>): string | undefined {
  const serial = fold(chassisSerial).trim();
  const bare = serial.replace(PUNCTUATION, '');
  const isCounted = bare.length > 3 && COUNTED_UP.includes(bare);
  return /\d/.test(bare) && !ONE_CHARACTER.test(bare) && !isCounted ? serial : undefined;
}

const NAMELESS_HOSTS = /^localhost\d?(?:\.localdomain\d?)?\.?$/i;

/** The device's own name, or ''; a host name that every new device has is no name. */
export function hostOf({ hostname }: Pick<Device, 'hostname'>): string {
  return NAMELESS_HOSTS.test(hostname) ? '' : hostname;
}

/** A host's name without its domain, as it is compared: some snapshots name only `edge-7`. */
export function shortName(host: string): string {
  return fold(host).replace(/\..*/, '');
}

/**
 * The key of a device: its serial number with the short host name, because a chassis can hold several hosts; else the
 * host name. Undefined if neither is known.
 */
export function identityOf(device: Pick<Device, 'chassisSerial' | 'hostname'>): string | undefined {
  const [serial, host] = [serialOf(device), hostOf(device)];
  if (serial !== undefined) return `${serial}:${shortName(host)}`;
  return host === '' ? undefined : `host:${fold(host)}`;
}

/** Whether two snapshots are of one device: by their serial numbers and host names. A chassis can hold several hosts. */
export function relationOf(one: Device, other: Device): 'same' | 'other' | 'unknown' {
  const [serial, otherSerial] = [serialOf(one), serialOf(other)];
  const [host, otherHost] = [shortName(hostOf(one)), shortName(hostOf(other))];
  const areNamed = host !== '' && otherHost !== '';
  if (areNamed && host !== otherHost) return 'other';
  if (serial !== undefined && otherSerial !== undefined) return serial === otherSerial ? 'same' : 'other';
  return areNamed ? 'same' : 'unknown';
}
