/** A version as numbers, the most significant first, without zeros at the end: 17.1 and 17.1.0 are one. */
export type Version = readonly number[];

/** Five parts at most are in use (major, minor, maintenance, point, fix); a build number is no part of it. */
const VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){1,5})$/i;
/** The parts that name a branch: 17.1.3.4 is of the branch 17.1. */
const BRANCH_PARTS = 2;

/** Reads `17.1.3.4`; undefined for whatever is no such version. */
export function versionOf(text: string): Version | undefined {
  const [, numbers] = VERSION.exec(text.trim()) ?? [];
  if (numbers === undefined) return undefined;
  const parts = numbers.split('.').map(Number);
  return parts.slice(0, parts.findLastIndex((part) => part !== 0) + 1);
}

/** Negative when `one` is earlier: part by part, an absent one counts as 0. 17.1.3 < 17.1.3.4 < 17.5.0. */
export function compareVersions(one: Version, other: Version): number {
  const parts = Math.max(one.length, other.length);
  for (let part = 0; part < parts; part += 1) {
    const difference = (one[part] ?? 0) - (other[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The branch of a version, as a version: 17.1 of 17.1.3.4. */
export function branchOf(version: Version): Version {
  return version.slice(0, BRANCH_PARTS);
}
