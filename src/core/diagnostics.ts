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

/** One side of a result: the hits, most important first, or what was checked and is fine. */
export type Side = 'hit' | 'miss';

/** A knowledge-base article. `url` is text from the service and may be no valid address; `id` is the service's name for it. */
export type Solution = { readonly url: string; readonly id?: string };

/** Each solution once. Two are the same if id and address are; either may be absent. */
export function solutionsOnce(solutions: readonly Solution[]): readonly Solution[] {
  const keyed = solutions.map((one) => [[one.id, one.url].filter(Boolean).join(' '), one] as const);
  return keyed.length < 2 ? solutions : [...new Map(keyed).values()];
}

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

/** Makers, hypervisors and anonymizing tools write these words in place of a serial number. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  (
    'a anonymized applicable available be by changeme chassis default dummy e empty filled hidden invalid m masked n na nil ' +
    'no none not null number o oem redacted removed sample sanitized serial sn specified string system tbd test to ' +
    'undefined unknown'
  ).split(' '),
);
const PUNCTUATION = /[^\p{L}\p{N}]+/gu;
/** `00000000`, `xxxxxx`: one character, however often. */
const ONE_CHARACTER = /^(.)\1*$/u;
const COUNTED_UP = '01234567890';

/** The normalized serial number that identifies a device; undefined if the document holds none or a placeholder. */
export function serialOf({ chassisSerial }: Pick<Device, 'chassisSerial'>): string | undefined {
  const serial = fold(chassisSerial).trim();
  const bare = serial.replace(PUNCTUATION, ' ').trim();
  const packed = bare.replaceAll(' ', '');
  const isPlaceholder = bare.split(' ').every((word) => word === '' || PLACEHOLDERS.has(word));
  if (isPlaceholder || ONE_CHARACTER.test(packed)) return undefined;
  if (packed.length > 3 && COUNTED_UP.includes(packed)) return undefined;
  return serial;
}

const NAMELESS_HOSTS = /^localhost\d?(?:\.localdomain\d?)?\.?$/i;

/** The device's own name, or ''; a host name that every new device has is no name. */
export function hostOf({ hostname }: Pick<Device, 'hostname'>): string {
  return NAMELESS_HOSTS.test(hostname) ? '' : hostname;
}

/** What tells a device from others: its serial number, else its own name; undefined where neither is known. */
export function identityOf(device: Pick<Device, 'chassisSerial' | 'hostname'>): string | undefined {
  const [serial, host] = [serialOf(device), hostOf(device)];
  return serial ?? (host === '' ? undefined : `host:${fold(host)}`);
}

/** Whether two names are known to be of two hosts. `edge-7` may be short for `edge-7.example.com`. */
export function areOtherHosts(one: string, other: string): boolean {
  const [short = '', long = ''] = [fold(one), fold(other)].sort((a, b) => a.length - b.length);
  return short !== '' && short !== long && !long.startsWith(`${short}.`);
}

/** Both have no name of their own, or the same one. */
export function areOneHost(one: string, other: string): boolean {
  return (one === '') === (other === '') && !areOtherHosts(one, other);
}

/**
 * Whether two snapshots are of one device: by their serial numbers, or else by their names. A chassis can hold several
 * hosts. Names that every new device has tell nothing, and the same hardware is in many devices.
 */
export function relationOf(one: Device, other: Device): 'same' | 'other' | 'unknown' {
  const [serial, otherSerial] = [serialOf(one), serialOf(other)];
  const [host, otherHost] = [hostOf(one), hostOf(other)];
  if (areOtherHosts(host, otherHost)) return 'other';
  if (serial !== undefined && otherSerial !== undefined) return serial === otherSerial ? 'same' : 'other';
  if (one.platform !== '' && other.platform !== '' && one.platform !== other.platform) return 'other';
  return host !== '' && otherHost !== '' ? 'same' : 'unknown';
}
