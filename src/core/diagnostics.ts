import { fold } from './texts.ts';

/** The identifier of a snapshot: a decimal string whose leading zeros count (specification, 4.2). */
export type SnapshotId = string & { readonly snapshotId: true };

/** Ids have eight digits today. Twenty digits hold any 64-bit counter. */
const SNAPSHOT_ID = /^\d{1,20}$/;

/** Whether a text is a snapshot id. */
export function isSnapshotId(text: string): text is SnapshotId {
  return SNAPSHOT_ID.test(text);
}

/** Whether `one` was uploaded before `other`: newer snapshots have higher ids. */
export function isEarlier(one: SnapshotId, other: SnapshotId): boolean {
  return BigInt(one) < BigInt(other);
}

/** The `set` of a request, which picks diagnostics; `all` is sent as a request without `set` (specification, 4.2). */
export const DIAGNOSTIC_SETS = ['all', 'hit', 'miss'] as const;
export type DiagnosticSet = (typeof DIAGNOSTIC_SETS)[number];

/** A knowledge-base article. `url` is text from the service and may be no valid address; `id` is the service's name for it. */
export type Solution = { readonly url: string; readonly id?: string };

/** What a diagnostic is: a hit, or a check that passed. */
export type Match = 'hit' | 'miss';

/** One diagnostic of a snapshot (specification, 2.3), all text already plain. Absent and empty texts are ''. */
export type Diagnostic = {
  readonly name: string;
  /** The document's second name (`h_name`), if it differs from `name`. */
  readonly otherName?: string;
  readonly match: Match;
  /** Set if the document does not say whether this is a hit. The bot counts it as a hit, and the report says so. */
  readonly isMatchUnstated?: true;
  /** The service's own word; compare and sort levels with `importance.ts`. */
  readonly importance: string;
  readonly title: string;
  /** Plain text with line breaks. Items of a list are lines that begin with `1. ` or `- `. */
  readonly summary: string;
  /** Plain text with line breaks, like the summary. */
  readonly action: string;
  /** The evidence in blocks. Their order matters, because a block can refer to an earlier block. */
  readonly output: readonly string[];
  /** Without duplicates, like `cveIds` and `fixedIn`. */
  readonly solutions: readonly Solution[];
  /** The CVEs that the service lists for the diagnostic; if it lists none, the CVEs in the title. */
  readonly cveIds: readonly string[];
  /** Versions such as `17.1.3.4`. */
  readonly fixedIn: readonly string[];
  /** The day (2026-05-12) on which a CVE of this hit was added to the operator's catalogue of exploited CVEs. */
  readonly exploitedSince?: string;
};

/** The device that a snapshot was taken from; absent texts are ''. */
export type Device = {
  readonly hostname: string;
  readonly chassisSerial: string;
  readonly platform: string;
};

/** The software that runs on the device; absent texts are ''. */
export type Software = {
  readonly product: string;
  readonly version: string;
  readonly edition: string;
  readonly built: string;
};

/** The service's own counts for the whole analysis, whichever `set` was requested. */
export type StatedCounts = { readonly hits?: number | undefined; readonly misses?: number | undefined };

/** The analysis of one snapshot, as read from one document. */
export type DiagnosticsResult = {
  readonly sha1: string;
  readonly device: Device;
  readonly software: Software;
  readonly stated: StatedCounts;
  readonly diagnostics: readonly Diagnostic[];
  /** When the catalogue of exploited CVEs was released (epoch milliseconds); absent without a catalogue. */
  readonly exploitedAsOf?: number;
};

/** Raise this with every change of these types: cached results of another version are then ignored. */
export const RESULT_VERSION = 7;

const PUNCTUATION = /[^\p{L}\p{N}]+/gu;
/** One repeated character, such as `00000000` or `xxxxxx`: a placeholder, not a serial number. */
const ONE_CHARACTER = /^(.)\1*$/u;
const COUNTED_UP = '01234567890';

/**
 * The normalized serial number that identifies a device. Undefined for a placeholder: manufacturers, hypervisors and
 * anonymizing tools put a word without digits (`To Be Filled By O.E.M.`, `REDACTED`), zeros or `12345` in its place.
 */
export function serialOf({ chassisSerial }: Pick<Device, 'chassisSerial'>): string | undefined {
  const serial = fold(chassisSerial).trim();
  const bare = serial.replace(PUNCTUATION, '');
  const isCounted = bare.length > 3 && COUNTED_UP.includes(bare);
  return /\d/.test(bare) && !ONE_CHARACTER.test(bare) && !isCounted ? serial : undefined;
}

const NAMELESS_HOSTS = /^localhost\d?(?:\.localdomain\d?)?\.?$/i;

/** The host name, or '' for a default name such as `localhost`, which identifies no device. */
export function hostOf({ hostname }: Pick<Device, 'hostname'>): string {
  return NAMELESS_HOSTS.test(hostname) ? '' : hostname;
}

/** The host name without its domain, for comparison: some snapshots omit the domain. */
export function shortName(host: string): string {
  return fold(host).replace(/\..*/, '');
}

/**
 * The key of a device: its serial number with its short host name, because one chassis can run several hosts. Without a
 * serial number, the host name alone; undefined if neither is known.
 */
export function identityOf(device: Pick<Device, 'chassisSerial' | 'hostname'>): string | undefined {
  const [serial, host] = [serialOf(device), hostOf(device)];
  if (serial !== undefined) return `${serial}:${shortName(host)}`;
  return host === '' ? undefined : `host:${fold(host)}`;
}

/** Whether two snapshots come from one device, by serial number and host name: one chassis can run several hosts. */
export function relationOf(one: Device, other: Device): 'same' | 'other' | 'unknown' {
  const [serial, otherSerial] = [serialOf(one), serialOf(other)];
  const [host, otherHost] = [shortName(hostOf(one)), shortName(hostOf(other))];
  const areNamed = host !== '' && otherHost !== '';
  if (areNamed && host !== otherHost) return 'other';
  if (serial !== undefined && otherSerial !== undefined) return serial === otherSerial ? 'same' : 'other';
  return areNamed ? 'same' : 'unknown';
}
