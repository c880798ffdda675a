import type { Diagnostic, DiagnosticsResult, Software } from './diagnostics.ts';
import { levelOf, sideOf } from './importance.ts';

/**
 * The numbers of a release: major, minor, maintenance, point release or hotfix, fix. 17.1 and 17.1.0 are equal. No
 * release line has both hotfixes and point releases, so 12.1.2 HF2 sorts like 12.1.2.2.
 */
type Numbers = readonly number[];

const RELEASE = /^(\d{1,9}(?:\.\d{1,9}){1,5})(?: HF(\d{1,9}))?$/i;
/** Matches the editions that can be ordered; an engineering hotfix can't. */
const EDITION = /^(?:final|point release (\d{1,9})|(?:hotfix )?hf(\d{1,9}))?$/i;

/** Reads a release such as `17.1.3.4` or `11.6.1 HF2`; undefined for any other text. */
export function numbersOf(text: string): Numbers | undefined {
  const [, dotted, hotfix] = RELEASE.exec(text.trim()) ?? [];
  if (dotted === undefined) return undefined;
  const numbers = dotted.split('.').map(Number);
  const [major = 0, minor = 0, maintenance = 0] = numbers;
  return hotfix === undefined ? numbers : [major, minor, maintenance, Number(hotfix)];
}

/**
 * The release that a device runs: `17.1.3` with the edition `Point Release 3` is `17.1.3.3`, `12.1.2` with `Hotfix HF2`
 * is `12.1.2 HF2`. Undefined for a release that can't be ordered, such as an engineering hotfix.
 */
export function releaseOf({ version, edition }: Pick<Software, 'version' | 'edition'>): string | undefined {
  const [numbers, said] = [numbersOf(version), EDITION.exec(edition.trim())];
  if (numbers === undefined || said === null) return undefined;
  const [, point, hotfix] = said;
  // A version of more than three numbers already contains its point release or hotfix.
  if (numbers.length !== 3 || (point ?? hotfix) === undefined) return version;
  return point === undefined ? `${version} HF${hotfix}` : `${version}.${point}`;
}

/** Negative if `one` is the earlier release. Missing numbers count as 0. */
export function compareReleases(one: Numbers, other: Numbers): number {
  for (let part = 0; part < Math.max(one.length, other.length); part += 1) {
    const difference = (one[part] ?? 0) - (other[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isSameBranch(one: Numbers, other: Numbers): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** A release to upgrade to, and the hits that the service says it fixes. */
export type Upgrade = { readonly version: string; readonly fixed: readonly Diagnostic[] };

/**
 * The release that the report recommends; undefined if no hit names a later release. Its branch is the running branch if
 * a hit names a later release of that, else the next branch. In it, the earliest release that fixes every critical hit
 * that the branch can fix; without such hits, the earliest that fixes any hit. Fixes of other branches do not count,
 * because a fix of 17.1.3.4 may be missing in 17.5.0.
 */
export function upgradeOf(result: DiagnosticsResult): Upgrade | undefined {
  const running = numbersOf(releaseOf(result.software) ?? '');
  if (running === undefined) return undefined;
  const later = sideOf(result, 'hit').flatMap((hit) => fixesOf(hit, running));
  later.sort((one, other) => compareReleases(one.numbers, other.numbers));
  // The running branch comes first in this order.
  const [first] = later;
  if (first === undefined) return undefined;
  const fixes = new Map<Diagnostic, Fix>();
  for (const fix of later)
    if (isSameBranch(fix.numbers, first.numbers) && !fixes.has(fix.hit)) fixes.set(fix.hit, fix);
  const target = [...fixes.values()].findLast(({ hit }) => levelOf(hit).rank === 0) ?? first;
  const isFixed = (hit: Diagnostic) => {
    const fix = fixes.get(hit);
    return fix !== undefined && compareReleases(fix.numbers, target.numbers) <= 0;
  };
  return { version: target.version, fixed: sideOf(result, 'hit').filter(isFixed) };
}

/** A hit with a later release that fixes it. */
type Fix = { readonly hit: Diagnostic; readonly version: string; readonly numbers: Numbers };

function fixesOf(hit: Diagnostic, running: Numbers): Fix[] {
  return hit.fixedIn.flatMap((text) => {
    const numbers = numbersOf(text);
    const isLater = numbers !== undefined && compareReleases(numbers, running) > 0;
    return isLater ? { hit, version: text.trim(), numbers } : [];
  });
}
