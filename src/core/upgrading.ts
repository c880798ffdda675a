import { sideOf } from './counting.ts';
import type { Diagnostic, DiagnosticsResult } from './diagnostics.ts';
import { branchOf, compareVersions, type Version, versionOf } from './versions.ts';

/** What upgrading to one version fixes, as far as the service says; hits without a known fix count as remaining. */
export type Upgrade = {
  /** As the service writes it. */
  readonly version: string;
  readonly branch: 'own' | 'next';
  readonly fixed: readonly Diagnostic[];
  readonly remaining: readonly Diagnostic[];
};

/** The versions to upgrade to, nearest first, those of the device's own branch before those of the next one. */
export type Upgrades = {
  readonly hits: readonly Diagnostic[];
  readonly upgrades: readonly Upgrade[];
  /** Hits that name no fixed version at all. */
  readonly unnamed: readonly Diagnostic[];
};

/** The most versions of a branch that are offered: a document can name thousands. */
const MOST_OF_A_BRANCH = 5;

type Target = { readonly text: string; readonly version: Version };

/** Worked out once for all who look at a result. */
const known = new WeakMap<DiagnosticsResult, { readonly upgrades: Upgrades | undefined }>();

/**
 * What upgrades would fix, by the fixed-in versions of the hits; undefined if no hit names a version later than the
 * device's. A hit counts as fixed only by a version of the same branch: what was fixed in 17.1.3.4 may not be fixed in
 * 17.5.0.
 */
export function upgradesOf(result: DiagnosticsResult): Upgrades | undefined {
  const found = known.get(result) ?? { upgrades: upgradesIn(result) };
  known.set(result, found);
  return found.upgrades;
}

function upgradesIn(result: DiagnosticsResult): Upgrades | undefined {
  const hits = sideOf(result, 'hit');
  const running = versionOf(result.software.version);
  if (running === undefined) return undefined;
  const targets = targetsOf(hits, running);
  const nextBranch = targets.find(({ version }) => !isSameBranch(version, running))?.version;
  const upgrades = [
    ...inBranch(targets, running).map((target) => upgradeTo(target, 'own', hits, running)),
    ...inBranch(targets, nextBranch).map((target) => upgradeTo(target, 'next', hits, running)),
  ];
  if (upgrades.length === 0) return undefined;
  return { hits, upgrades, unnamed: hits.filter(({ fixedIn }) => fixedIn.length === 0) };
}

/** Every later version that a hit names, once, earliest first. */
function targetsOf(hits: readonly Diagnostic[], running: Version): Target[] {
  const named = new Map<string, Target>();
  for (const text of hits.flatMap(({ fixedIn }) => fixedIn)) {
    const version = versionOf(text);
    if (version === undefined || compareVersions(version, running) <= 0) continue;
    const key = version.join('.');
    if (!named.has(key)) named.set(key, { text: text.trim(), version });
  }
  return [...named.values()].sort((one, other) => compareVersions(one.version, other.version));
}

function inBranch(targets: readonly Target[], branch: Version | undefined): Target[] {
  if (branch === undefined) return [];
  return targets.filter(({ version }) => isSameBranch(version, branch)).slice(0, MOST_OF_A_BRANCH);
}

function upgradeTo(
  { text, version }: Target,
  branch: Upgrade['branch'],
  hits: readonly Diagnostic[],
  running: Version,
): Upgrade {
  const isFixed = ({ fixedIn }: Diagnostic) =>
    fixedIn
      .map(versionOf)
      .some(
        (fixed) =>
          fixed !== undefined &&
          isSameBranch(fixed, version) &&
          compareVersions(fixed, running) > 0 &&
          compareVersions(fixed, version) <= 0,
      );
  const byFixed = Map.groupBy(hits, isFixed);
  return { version: text, branch, fixed: byFixed.get(true) ?? [], remaining: byFixed.get(false) ?? [] };
}

function isSameBranch(one: Version, other: Version): boolean {
  return compareVersions(branchOf(one), branchOf(other)) === 0;
}
