import type { Diagnostic, DiagnosticsResult } from './diagnostics.ts';
import { levelOf, sideOf } from './importance.ts';
import {
  compareVersions,
  isIn,
  isLater,
  isSameBranch,
  runningVersion,
  type Version,
  versionOf,
} from './versions.ts';

/** A release to upgrade to, as the service writes it, and the hits that it fixes as far as the service says. */
export type Upgrade = { readonly version: string; readonly fixed: readonly Diagnostic[] };

/** At most this many releases of a branch are considered, the nearest first: a document can name thousands. */
const MOST_RELEASES = 100;

/**
 * The nearest later release that fixes every critical hit that its branch fixes, else the nearest one; of the running
 * branch, or of the next one where no hit names a release of it. Undefined if no hit names a release that is known to be later. A hit counts as
 * fixed only by a release of the same branch: what was fixed in 17.1.3.4 may not be fixed in 17.5.0.
 */
export function upgradeOf(result: DiagnosticsResult): Upgrade | undefined {
  const hits = sideOf(result, 'hit');
  const releases = releasesFor(result, hits);
  const fixes = hits.map((hit) => ({
    hit,
    versions: hit.fixedIn.flatMap((text) => releases.get(text.trim()) ?? []),
  }));
  const critical = fixes.filter(({ hit, versions }) => levelOf(hit).rank === 0 && versions.length > 0);
  const isFixedBy = (release: Version) => (fix: { readonly versions: readonly Version[] }) =>
    fix.versions.some((version) => isIn(version, release));
  const [nearest, ...others] = releases;
  if (nearest === undefined) return undefined;
  const best = [nearest, ...others].find(([, release]) => critical.every(isFixedBy(release)));
  const [version, release] = best ?? nearest;
  return { version, fixed: fixes.filter(isFixedBy(release)).map(({ hit }) => hit) };
}

/** The later releases of one branch that the hits name, nearest first. */
function releasesFor(
  { software }: DiagnosticsResult,
  hits: readonly Diagnostic[],
): ReadonlyMap<string, Version> {
  const running = runningVersion(software);
  if (running === undefined) return new Map();
  const texts = new Set(hits.flatMap(({ fixedIn }) => fixedIn).map((text) => text.trim()));
  const later = [...texts].flatMap((text) => {
    const version = versionOf(text);
    return version !== undefined && isLater(version, running) ? [[text, version] as const] : [];
  });
  later.sort(([, one], [, other]) => compareVersions(one, other));
  const own = later.filter(([, version]) => isSameBranch(version, running));
  const next = later.filter(([, version]) => isSameBranch(version, later[0]?.[1] ?? running));
  return new Map((own.length > 0 ? own : next).slice(0, MOST_RELEASES));
}
