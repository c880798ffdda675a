import type { Diagnostic, DiagnosticSet, DiagnosticsResult, Match } from './diagnostics.ts';

/** The groups for filtering hits: the known levels in order, `other` for an unknown word, `unrated` for no word. */
export const LEVEL_GROUPS = ['critical', 'high', 'medium', 'low', 'other', 'unrated'] as const;
export type LevelGroup = (typeof LEVEL_GROUPS)[number];

/** The known levels by rank, most important first. */
const KNOWN_LEVELS: readonly string[] = LEVEL_GROUPS.slice(0, 4);
const UNRATED = 'Unrated';

/** A level. `rank`: 0 is the most important; all unknown levels share the last rank. `word`: the text for people. */
export type Level = { readonly key: string; readonly rank: number; readonly word: string };

/** The level of a diagnostic, ignoring case and outer spaces. An unknown word is shown unchanged. */
export function levelOf({ importance }: Pick<Diagnostic, 'importance'>): Level {
  const stated = importance.trim();
  const key = stated.toLowerCase();
  const rank = KNOWN_LEVELS.indexOf(key);
  if (rank === -1) return { key, rank: KNOWN_LEVELS.length, word: stated || UNRATED };
  return { key, rank, word: key.charAt(0).toUpperCase() + key.slice(1) };
}

/** Returns a sorted copy: most important first; within a level, exploited hits first; else in the service's order. */
export function byImportance<T extends Pick<Diagnostic, 'importance'>>(diagnostics: readonly T[]): T[] {
  return sortByImportance(diagnostics, (diagnostic) => diagnostic);
}

/** Sorts like `byImportance`, for items that each refer to a diagnostic. */
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

/** Selects hits by level (`levels`) and by their CVEs (`cve`). An absent field allows every hit. */
export type Filter = {
  readonly levels?: readonly LevelGroup[];
  readonly cve?: (typeof CVE_FILTERS)[number];
};

/** The filter group of a diagnostic. */
export function groupOf(diagnostic: Pick<Diagnostic, 'importance'>): LevelGroup {
  const { key, rank } = levelOf(diagnostic);
  return key === '' ? 'unrated' : (LEVEL_GROUPS[rank] ?? 'other');
}

/** The number of hits in each group, in the order of `LEVEL_GROUPS`. */
export function countByGroup(hits: readonly Pick<Diagnostic, 'importance'>[]): number[] {
  const by = Map.groupBy(hits, groupOf);
  return LEVEL_GROUPS.map((group) => by.get(group)?.length ?? 0);
}

/** Whether a hit matches a filter. */
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

/** The hits and the passed checks of each result, cached so that a result is sorted only once. */
const sides = new WeakMap<DiagnosticsResult, ReadonlyMap<Match, readonly Diagnostic[]>>();

/** The hits or the passed checks of a result, most important first. */
export function sideOf(result: DiagnosticsResult, side: Match): readonly Diagnostic[] {
  const known = sides.get(result) ?? Map.groupBy(byImportance(result.diagnostics), ({ match }) => match);
  sides.set(result, known);
  return known.get(side) ?? [];
}

/** The names of the checks that passed. */
export function passedIn(result: DiagnosticsResult): ReadonlySet<string> {
  return new Set(sideOf(result, 'miss').map(({ name }) => name));
}

/** The diagnostics with this name, in the order of the document. */
export function namedIn({ diagnostics }: DiagnosticsResult, name: string): readonly Diagnostic[] {
  return diagnostics.filter((each) => each.name === name);
}

/**
 * Counts the hits and passed checks of a document that was requested with `set`; an unknown count is undefined.
 * `listed`: how many the document lists. `stated`: the service's own counts for the whole analysis, used for a side
 * that the document omits. `isDisputed`: `listed` contradicts `stated`, which is then ignored. `unstated`: hits that
 * the document does not mark as hit or passed. `checks`: hits and passed checks together.
 */
export function countChecks(result: DiagnosticsResult, set: DiagnosticSet) {
  const { stated } = result;
  const hits = result.diagnostics.filter(({ match }) => match === 'hit').length;
  const misses = result.diagnostics.length - hits;
  const unstated = result.diagnostics.filter(({ isMatchUnstated }) => isMatchUnstated).length;
  const listed = {
    hits: hits > 0 || set !== 'miss' ? hits : undefined,
    // 0 may mean unknown: without `set`, some versions of the service list only the hits.
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
 * Whether a document proves that there are no hits: it lists nothing for `set=hit`, only passed checks for `all`, or
 * states a count of 0. Any other empty list proves nothing about the device.
 */
export function showsNoHits(result: DiagnosticsResult, set: DiagnosticSet): boolean {
  const { hits, isDisputed } = countChecks(result, set);
  return hits === 0 && !isDisputed && listsWholeSide(result, set);
}

/**
 * Whether the document lists the complete side that `set` selects: the passed checks for `miss`, else the hits. If it
 * is incomplete, a diagnostic that is missing from it must not be called cleared.
 */
export function listsWholeSide(result: DiagnosticsResult, set: DiagnosticSet): boolean {
  const { listed, stated, checks } = countChecks(result, set);
  // An analysis that counts 0 hits and 0 passed checks has checked nothing.
  if (checks === 0) return false;
  if (set === 'miss') return !differ(listed.misses, stated.misses);
  const isAList = set === 'hit' || result.diagnostics.length > 0 || stated.hits === 0;
  return isAList && !differ(listed.hits, stated.hits);
}
