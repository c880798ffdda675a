import { sideOf } from './counting.ts';
import type { Diagnostic, DiagnosticsResult } from './diagnostics.ts';
import { levelOf } from './importance.ts';
import {
  canBeOrdered,
  compareVersions,
  isLater,
  isSameBranch,
  runningVersion,
  type Version,
  versionOf,
} from './versions.ts';

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
  /**
   * The nearest release of the device's own branch that fixes every critical hit that any release of it fixes; of the
   * next branch where its own has none. It is one of `upgrades`.
   */
  readonly recommended: Upgrade | undefined;
  /** Hits that name no fixed version at all. */
  readonly unnamed: readonly Diagnostic[];
  /** Fixed versions, each once, of which nobody knows whether they are later than the release that runs. */
  readonly unordered: readonly string[];
};

/** The most versions of a branch that are offered: a document can name thousands. */
const MOST_OF_A_BRANCH = 5;

type Target = { readonly text: string; readonly version: Version };
/** A hit, and the versions that fix it. */
type Fix = { readonly hit: Diagnostic; readonly versions: readonly Version[] };

/** Worked out once for all who look at a result. */
const known = new WeakMap<DiagnosticsResult, { readonly upgrades: Upgrades | undefined }>();

/**
 * What upgrades would fix, by the fixed-in versions of the hits; undefined if all of those are earlier than the release
 * that runs, or it. A hit counts as fixed only by a version of the same branch: what was fixed in 17.1.3.4 may not be
 * fixed in 17.5.0.
 */
export function upgradesOf(result: DiagnosticsResult): Upgrades | undefined {
  const found = known.get(result) ?? { upgrades: upgradesIn(result) };
  known.set(result, found);
  return found.upgrades;
}

function upgradesIn(result: DiagnosticsResult): Upgrades | undefined {
  const hits = sideOf(result, 'hit');
  const running = runningVersion(result.software);
  const named = new Set(hits.flatMap(({ fixedIn }) => fixedIn).map((text) => text.trim()));
  const unordered = [...named].filter((text) => !isOrdered(text, running));
  const { upgrades, recommended } =
    running === undefined ? NO_UPGRADES : upgradesFrom(running, [...named], hits);
  if (upgrades.length === 0 && unordered.length === 0) return undefined;
  const unnamed = hits.filter(({ fixedIn }) => fixedIn.length === 0);
  return { hits, upgrades, recommended, unnamed, unordered };
}

function isOrdered(text: string, running: Version | undefined): boolean {
  const version = versionOf(text);
  return running !== undefined && version !== undefined && canBeOrdered(version, running);
}

const NO_UPGRADES = { upgrades: [], recommended: undefined };

function upgradesFrom(
  running: Version,
  named: readonly string[],
  hits: readonly Diagnostic[],
): Pick<Upgrades, 'upgrades' | 'recommended'> {
  const targets = targetsOf(named, running);
  // Each is compared with every target: it is read once.
  const fixes = hits.map((hit) => ({ hit, versions: hit.fixedIn.flatMap((text) => versionOf(text) ?? []) }));
  const nextBranch = targets.find(({ version }) => !isSameBranch(version, running))?.version;
  const own = inBranch(targets, running);
  const best = bestOf(own, fixes, running);
  const nearest = own.slice(0, MOST_OF_A_BRANCH);
  const offered = best === undefined || nearest.includes(best) ? nearest : [...nearest.slice(0, -1), best];
  const upgrades = [
    ...offered.map((target) => upgradeTo(target, 'own', fixes, running)),
    ...inBranch(targets, nextBranch)
      .slice(0, MOST_OF_A_BRANCH)
      .map((target) => upgradeTo(target, 'next', fixes, running)),
  ];
  return { upgrades, recommended: upgrades.find(({ version }) => version === best?.text) ?? upgrades[0] };
}

/** The nearest of these targets that fixes every critical hit that any of them fixes. */
function bestOf(targets: readonly Target[], fixes: readonly Fix[], running: Version): Target | undefined {
  // A hit stays fixed in later releases of a branch: what counts is the earliest one that fixes it.
  const needed = fixes.flatMap(({ hit, versions }) => {
    const own = versions.filter((version) => isSameBranch(version, running) && isLater(version, running));
    return levelOf(hit).rank === 0 ? own.sort(compareVersions).slice(0, 1) : [];
  });
  return targets.find(({ version }) =>
    needed.every((fix) => canBeOrdered(fix, version) && !isLater(fix, version)),
  );
}

/** Every later version that a hit names, once, earliest first. */
function targetsOf(named: readonly string[], running: Version): Target[] {
  const targets: Target[] = [];
  for (const text of named) {
    const version = versionOf(text);
    if (version !== undefined && isLater(version, running)) targets.push({ text, version });
  }
  const sorted = targets.sort((one, other) => compareVersions(one.version, other.version));
  return sorted.filter(({ version }, at) => {
    const before = sorted[at - 1]?.version;
    return before === undefined || compareVersions(before, version) !== 0;
  });
}

function inBranch(targets: readonly Target[], branch: Version | undefined): Target[] {
  if (branch === undefined) return [];
  return targets.filter(({ version }) => isSameBranch(version, branch));
}

function upgradeTo(
  { text, version }: Target,
  branch: Upgrade['branch'],
  fixes: readonly Fix[],
  running: Version,
): Upgrade {
  const isFixed = ({ versions }: Fix) =>
    versions.some(
      (fixed) =>
        isSameBranch(fixed, version) &&
        isLater(fixed, running) &&
        canBeOrdered(fixed, version) &&
        !isLater(fixed, version),
    );
  const hitsThat = (are: boolean) => fixes.filter((fix) => isFixed(fix) === are).map(({ hit }) => hit);
  return { version: text, branch, fixed: hitsThat(true), remaining: hitsThat(false) };
}
