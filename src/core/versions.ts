import type { Software } from './diagnostics.ts';

/**
 * A release: its numbers, the most significant first, and its hotfix, 0 for none. 17.1 and 17.1.0 are one. `isAnyOfBase`:
 * it may be any point release or hotfix of that base.
 */
export type Version = {
  readonly numbers: readonly number[];
  readonly hotfix: number;
  readonly isAnyOfBase?: true;
};

/** Five parts at most are in use (major, minor, maintenance, point, fix); a build number is no part of it. */
const VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){1,5})(?:[ -](?:hotfix hf|hotfix|hf) ?(\d{1,9}))?$/i;
const EDITION = /^(?:final|point release (\d{1,9})|(?:hotfix hf|hotfix|hf) ?(\d{1,9}))?$/i;
/** How many numbers name a branch: 17.1.3.4 is of the branch 17.1. */
const OF_BRANCH = 2;
/** How many numbers name the base of hotfixes and point releases: 17.1.3 of 17.1.3.4. */
const OF_BASE = 3;

/** Reads `17.1.3.4` and `11.6.1 HF2`; undefined for any other text. */
export function versionOf(text: string): Version | undefined {
  const [, numbers, hotfix = 0] = VERSION.exec(text.trim()) ?? [];
  return numbers === undefined
    ? undefined
    : { numbers: numbers.split('.').map(Number), hotfix: Number(hotfix) };
}

/**
 * The release that runs: `17.1.3` with the edition `Point Release 3` is 17.1.3.3, `12.1.2` with `Hotfix HF2` is
 * 12.1.2 HF2. Without an edition, of `17.1.3` only the base is known. Undefined if the two contradict each other, or for an
 * edition that can't be ordered, such as an engineering hotfix.
 */
export function runningVersion(software: Pick<Software, 'version' | 'edition'>): Version | undefined {
  const { version, edition } = software;
  const said = EDITION.exec(edition.trim());
  const stated = versionOf(version);
  if (said === null || stated === undefined) return undefined;
  const [edited, point, hotfix] = said;
  const [major = 0, minor = 0, maintenance = 0, ofVersion = 0, ...rest] = stated.numbers;
  const running = {
    numbers: [major, minor, maintenance, Number(point ?? ofVersion), ...rest],
    hotfix: Number(hotfix ?? stated.hotfix),
  };
  // A version that names a point release or hotfix itself must agree with the edition.
  const isWhole = ofVersion !== 0 || stated.hotfix !== 0;
  if (isWhole) return compareVersions(running, stated) === 0 ? running : undefined;
  return edited === '' ? { ...running, isAnyOfBase: true } : running;
}

/** Negative when `one` is to be listed first: number by number, an absent one counts as 0, then by hotfix. */
export function compareVersions(one: Version, other: Version): number {
  const most = Math.max(one.numbers.length, other.numbers.length);
  return compareNumbers(one, other, most) || one.hotfix - other.hotfix;
}

/**
 * Whether `one` is known to be later: 17.1.3 < 17.1.3.4 < 17.5.0. False for a hotfix and a point release of one base:
 * their order is not known.
 */
export function isLater(one: Version, other: Version): boolean {
  return canBeOrdered(one, other) && compareVersions(one, other) > 0;
}

/** Whether the order of the two is known, or that they are equal. */
function canBeOrdered(one: Version, other: Version): boolean {
  if (!isOfOneBase(one, other)) return true;
  if (one.isAnyOfBase || other.isAnyOfBase) return false;
  const hasHotfix = one.hotfix !== 0 || other.hotfix !== 0;
  return !hasHotfix || compareVersions({ ...one, hotfix: other.hotfix }, other) === 0;
}

/** Whether `release` is known to include what `fix` fixed; both are of one branch. */
export function isIn(fix: Version, release: Version): boolean {
  return canBeOrdered(fix, release) && !isLater(fix, release);
}

/** Whether both have the same base version, to which hotfixes and point releases are added. */
function isOfOneBase(one: Version, other: Version): boolean {
  return compareNumbers(one, other, OF_BASE) === 0;
}

export function isSameBranch(one: Version, other: Version): boolean {
  return compareNumbers(one, other, OF_BRANCH) === 0;
}

function compareNumbers(one: Version, other: Version, most: number): number {
  for (let part = 0; part < most; part += 1) {
    const difference = (one.numbers[part] ?? 0) - (other.numbers[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
