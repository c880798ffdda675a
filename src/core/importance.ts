import type { Diagnostic, DiagnosticSet, DiagnosticsResult, Match } from './diagnostics.ts';

/**
 * The groups that hits can be filtered by: the known levels in their order, `other` for any other word, `unrated` for
 * none.
 */
export const LEVEL_GROUPS = ['critical', 'high', 'medium', 'low', 'other', 'unrated'] as const;
export type LevelGroup = (typeof LEVEL_GROUPS)[number];

/** Their order is their rank: in alphabetical order LOW would come before MEDIUM. */
const KNOWN_LEVELS: readonly string[] = LEVEL_GROUPS.slice(0, 4);
const UNRATED = 'Unrated';

/** A level. `rank`: 0 is the most important, and all unknown levels share the last rank. `word`: what people read. */
export type Level = { readonly key: string; readonly rank: number; readonly word: string };

/** The level of a diagnostic. `High ` and `HIGH` are one; an unknown word is shown as it stands. */
export function levelOf({ importance }: Pick<Diagnostic, 'importance'>): Level {
  const stated = importance.trim();
  const key = stated.toLowerCase();
  const rank = KNOWN_LEVELS.indexOf(key);
  if (rank === -1) return { key, rank: KNOWN_LEVELS.length, word: stated || UNRATED };
  return { key, rank, word: key.charAt(0).toUpperCase() + key.slice(1) };
}

/** A new array, most important first; within a level exploited ones first, else in the service's order. */
export function byImportance<T extends Pick<Diagnostic, 'importance'>>(diagnostics: readonly T[]): T[] {
  return sortByImportance(diagnostics, (diagnostic) => diagnostic);
}

/** `byImportance` for things that are about a diagnostic. */
export function sortByImportance<T>(
  things: readonly T[],
  of: (thing: T) => Pick<Diagnostic, 'importance' | 'exploitedSince'>,
): T[] {
  const placed = things.map((thing) => {
    const place = levelOf(of(thing)).rank + (isExploited(of(thing)) ? 0 : 0.5);
    return { thing, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ thing }) => thing);
}

export const CVE_FILTERS = ['with', 'exploited'] as const;

/** Which hits are shown: of these levels, with CVEs, or with exploited ones. An absent part lets every hit through. */
export type Filter = {
  readonly levels?: readonly LevelGroup[];
  readonly cve?: (typeof CVE_FILTERS)[number];
};

/** The group that a diagnostic's importance belongs to. */
export function groupOf(diagnostic: Pick<Diagnostic, 'importance'>): LevelGroup {
  const { key, rank } = levelOf(diagnostic);
  return key === '' ? 'unrated' : (LEVEL_GROUPS[rank] ?? 'other');
}

/** How many hits each of `LEVEL_GROUPS` has. */
export function countByGroup(hits: readonly Pick<Diagnostic, 'importance'>[]): number[] {
  const by = Map.groupBy(hits, groupOf);
  return LEVEL_GROUPS.map((group) => by.get(group)?.length ?? 0);
}

/** Whether a filter lets a hit through. */
export function passes(
  hit: Pick<Diagnostic, 'importance' | 'cveIds' | 'exploitedSince'>,
  { levels, cve }: Filter,
): boolean {
  if (levels !== undefined && !levels.includes(groupOf(hit))) return false;
  return cve === undefined || (cve === 'with' ? hit.cveIds.length > 0 : isExploited(hit));
}

/** Whether a CVE of this hit is known to be exploited. */
export function isExploited({ exploitedSince }: Pick<Diagnostic, 'exploitedSince'>): boolean {
  return exploitedSince !== undefined;
}

/** The diagnostics of each result by side, sorted once for all who read it. */
const sides = new WeakMap<DiagnosticsResult, ReadonlyMap<Match, readonly Diagnostic[]>>();

/** The diagnostics of one side, most important first. */
export function sideOf(result: DiagnosticsResult, side: Match): readonly Diagnostic[] {
  const known = sides.get(result) ?? Map.groupBy(byImportance(result.diagnostics), ({ match }) => match);
  sides.set(result, known);
  return known.get(side) ?? [];
}

/** The names of the checks that passed. */
export function passedIn(result: DiagnosticsResult): ReadonlySet<string> {
  return new Set(sideOf(result, 'miss').map(({ name }) => name));
}

/** The diagnostics of this name, in the order of the document. */
export function namedIn({ diagnostics }: DiagnosticsResult, name: string): readonly Diagnostic[] {
  return diagnostics.filter((each) => each.name === name);
}

/**
 * The numbers of hits and passed checks of a document that was asked for `set`; an unknown number is undefined. `listed`:
 * those in the document. `unstated`: hits whose match the document does not state. `stated`: what the service counts in
 * the whole analysis, used for a side that the document leaves out. If it contradicts a listed side (`isDisputed`), it is
 * not used, because the two count different things. `checks`: both sides together.
 */
export function countChecks(result: DiagnosticsResult, set: DiagnosticSet) {
  const { stated } = result;
  const hits = result.diagnostics.filter(({ match }) => match === 'hit').length;
  const misses = result.diagnostics.length - hits;
  const unstated = result.diagnostics.filter(({ isMatchUnstated }) => isMatchUnstated).length;
  const listed = {
    hits: hits > 0 || set !== 'miss' ? hits : undefined,
    // Some versions of the service answer a request without `set` with the hits alone.
    misses: misses > 0 || set === 'miss' ? misses : undefined,
  };
  const isDisputed = differ(listed.hits, stated.hits) || differ(listed.misses, stated.misses);
  const counts = { listed, stated, unstated, isDisputed };
  if (isDisputed) return { ...counts, ...listed, checks: undefined };
  const [one, other] = [listed.hits ?? stated.hits, listed.misses ?? stated.misses];
  const checks = one === undefined || other === undefined ? undefined : one + other;
  return { ...counts, hits: one, misses: other, checks };
}

function differ(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/**
 * Whether a document shows that there are no hits. An empty list does so only if it was asked for the hits, or if
 * the service states that it counts none: any other empty list says nothing about the device.
 */
export function showsNoHits(result: DiagnosticsResult, set: DiagnosticSet): boolean {
  const { hits, isDisputed } = countChecks(result, set);
  return hits === 0 && !isDisputed && listsWholeSide(result, set);
}

/**
 * Whether a document lists, as far as it says, every diagnostic of the side that `set` is about: the passed checks for
 * `miss`, else the hits. If it does not, a diagnostic that it leaves out may still exist: it is not cleared.
 */
export function listsWholeSide(result: DiagnosticsResult, set: DiagnosticSet): boolean {
  const { listed, stated } = countChecks(result, set);
  if (set === 'miss') return !differ(listed.misses, stated.misses);
  const isAList = set === 'hit' || result.diagnostics.length > 0 || stated.hits === 0;
  return isAList && !differ(listed.hits, stated.hits);
}
