import type { Diagnostic, DiagnosticsResult } from './diagnostics.ts';
import { levelOf, sideOf } from './importance.ts';
import {
  canBeOrdered,
  compareVersions,
  isIn,
  isLater,
  isOfOneBase,
  isSameBranch,
  runningVersion,
  type Version,
  versionOf,
} from './versions.ts';

/** What upgrading to one version fixes, as far as the service says; hits without a known fix count as remaining. */
type Upgrade = {
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
  /** How many versions of these branches that fix hits are not among `upgrades`; of a branch those that fix most are. */
  readonly leftOut: number;
  /**
   * The nearest release of the device's own branch, or of the next one where its own has none, that fixes every critical
   * hit that any release of that branch fixes. It is one of `upgrades`.
   */
  readonly recommended: Upgrade | undefined;
  /** Hits that name no fixed version at all. */
  readonly unnamed: readonly Diagnostic[];
  /** Fixed versions, each once, of which nobody knows whether they are later than the release that runs. */
  readonly unordered: readonly string[];
};

/** The most versions of a branch that are offered: a document can name thousands. */
const MOST_OF_A_BRANCH = 10;

/** Every fixed version that hits name, by its text. */
type Named = ReadonlyMap<string, Version | undefined>;
type Target = { readonly text: string; readonly version: Version };
type Fix = { readonly hit: Diagnostic; readonly versions: readonly Version[] };

/**
 * What upgrades would fix, by the fixed-in versions of the hits; undefined if all of those are earlier than the release
 * that runs, or it. A hit counts as fixed only by a version of the same branch: what was fixed in 17.1.3.4 may not be
 * fixed in 17.5.0.
 */
export function upgradesOf(result: DiagnosticsResult): Upgrades | undefined {
  const hits = sideOf(result, 'hit');
  const running = runningVersion(result.software);
  // Each is compared with every target: it is read once.
  const named = new Map(hits.flatMap(({ fixedIn }) => fixedIn).map((text) => [text.trim(), versionOf(text)]));
  const isOrdered = (version: Version | undefined) => running && version && canBeOrdered(version, running);
  const unordered = [...named].filter(([, version]) => !isOrdered(version)).map(([text]) => text);
  const offers = running === undefined ? NO_OFFERS : offersFrom(running, named, hits);
  if (offers.upgrades.length === 0 && unordered.length === 0) return undefined;
  const unnamed = hits.filter(({ fixedIn }) => fixedIn.length === 0);
  return { hits, ...offers, unnamed, unordered };
}

type Offers = Pick<Upgrades, 'upgrades' | 'leftOut' | 'recommended'>;
const NO_OFFERS: Offers = { upgrades: [], leftOut: 0, recommended: undefined };

function offersFrom(running: Version, named: Named, hits: readonly Diagnostic[]): Offers {
  const targets = targetsOf(named, running);
  const versionsOf = ({ fixedIn }: Diagnostic) => fixedIn.flatMap((text) => named.get(text.trim()) ?? []);
  const fixes = hits.map((hit) => ({ hit, versions: versionsOf(hit) }));
  const nextBranch = targets.find(({ version }) => !isSameBranch(version, running))?.version;
  const inBranch = (branch = running) => targets.filter(({ version }) => isSameBranch(version, branch));
  const [own, next] = [inBranch(), nextBranch === undefined ? [] : inBranch(nextBranch)];
  const best = bestOf(own.length > 0 ? own : next, fixes, running);
  const upgrades = [
    ...upgradesTo(offered(own, best), 'own', fixes, running),
    ...upgradesTo(offered(next, best), 'next', fixes, running),
  ];
  return {
    upgrades,
    leftOut: own.length + next.length - upgrades.length,
    recommended: upgrades.find(({ version }) => version === best?.text) ?? upgrades[0],
  };
}

/** The nearest targets of a branch, with the best one if that is one of them, and with the latest ones, which fix most. */
function offered(targets: readonly Target[], best: Target | undefined): readonly Target[] {
  const latest = (isHotfix: boolean) => targets.findLast(({ version }) => version.hotfix > 0 === isHotfix);
  // Of the hotfixes and the point releases of one base either may fix more.
  const needed = [targets.find((target) => target === best), latest(false), latest(true)];
  const kept = new Set(needed.filter((target) => target !== undefined));
  for (const target of targets) if (kept.size < MOST_OF_A_BRANCH) kept.add(target);
  return targets.filter((target) => kept.has(target));
}

/** The nearest of these targets of one branch that fixes every critical hit that any of them fixes. */
function bestOf(targets: readonly Target[], fixes: readonly Fix[], running: Version): Target | undefined {
  const branch = targets[0]?.version ?? running;
  // A hit stays fixed in later releases of a branch: what counts is the earliest one that fixes it.
  const needed = fixes.flatMap(({ hit, versions }) => {
    const here = versions.filter((version) => isSameBranch(version, branch) && isLater(version, running));
    return levelOf(hit).rank === 0 ? here.sort(compareVersions).slice(0, 1) : [];
  });
  const deciding = decidingIn(needed);
  return targets.find(({ version }) => deciding.every((fix) => isIn(fix, version)));
}

/**
 * The few of these versions that decide whether a release has what was fixed in all of them, because a document can name
 * thousands: the latest, and, as a hotfix of a base can only be ordered with itself, the ends of what is of the same base.
 */
function decidingIn(needed: readonly Version[]): readonly Version[] {
  const sorted = needed.toSorted(compareVersions);
  const latest = sorted.at(-1);
  const ofBase = sorted.filter((each) => latest !== undefined && isOfOneBase(each, latest));
  const hotfixes = ofBase.filter(({ hotfix }) => hotfix !== 0);
  return [ofBase, hotfixes].flatMap((some) => [some.slice(0, 1), some.slice(-1)].flat());
}

/** Every later version that a hit names, once, earliest first. */
function targetsOf(named: Named, running: Version): Target[] {
  const targets = [...named].flatMap(([text, version]) =>
    version !== undefined && isLater(version, running) ? { text, version } : [],
  );
  const sorted = targets.sort((one, other) => compareVersions(one.version, other.version));
  return sorted.filter(
    ({ version }, at) => compareVersions(sorted[at - 1]?.version ?? running, version) !== 0,
  );
}

/** What an upgrade to each target fixes and leaves. */
function upgradesTo(
  targets: readonly Target[],
  branch: Upgrade['branch'],
  fixes: readonly Fix[],
  running: Version,
): Upgrade[] {
  return targets.map(({ text, version }) => {
    const isFixed = ({ versions }: Fix) =>
      versions.some((fix) => isSameBranch(fix, version) && isLater(fix, running) && isIn(fix, version));
    const hitsThat = (are: boolean) => fixes.filter((fix) => isFixed(fix) === are).map(({ hit }) => hit);
    return { version: text, branch, fixed: hitsThat(true), remaining: hitsThat(false) };
  });
}
