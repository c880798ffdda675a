import type { Diagnostic } from './diagnostics.ts';

/** The known levels, most important first. They are ordered by this rank; in alphabetical order LOW would come before MEDIUM. */
const KNOWN_LEVELS: readonly string[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];
const UNRATED = 'Unrated';

/** A level: its rank (0 is the most important; every unknown one follows the known), and the word that people read. */
export type Level = { readonly key: string; readonly rank: number; readonly word: string };

/** The level of a diagnostic. `High ` and `HIGH` are one; an unknown word is shown as it stands. */
export function levelOf({ importance }: Pick<Diagnostic, 'importance'>): Level {
  const stated = importance.trim();
  const key = stated.toUpperCase();
  const rank = KNOWN_LEVELS.indexOf(key);
  if (rank !== -1) return { key, rank, word: key.charAt(0) + key.slice(1).toLowerCase() };
  return { key, rank: KNOWN_LEVELS.length, word: stated || UNRATED };
}

/** By how many levels the rating fell, negative if it rose; 0 where nobody knows the place of one of the two. */
export function levelsDown(
  before: Pick<Diagnostic, 'importance'>,
  after: Pick<Diagnostic, 'importance'>,
): number {
  const [was, is] = [levelOf(before).rank, levelOf(after).rank];
  return Math.max(was, is) < KNOWN_LEVELS.length ? is - was : 0;
}

function compareLevels(a: Level, b: Level): number {
  return a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** A new array, most important first; within a level the service's own order stays. */
export function byImportance<T extends Pick<Diagnostic, 'importance'>>(diagnostics: readonly T[]): T[] {
  return sortByImportance(diagnostics, (diagnostic) => diagnostic);
}

/** The same for things that are about a diagnostic. */
export function sortByImportance<T>(
  things: readonly T[],
  of: (thing: T) => Pick<Diagnostic, 'importance'>,
): T[] {
  return things
    .map((thing) => ({ thing, level: levelOf(of(thing)) }))
    .sort((a, b) => compareLevels(a.level, b.level))
    .map(({ thing }) => thing);
}

/** How many diagnostics each level has, most important level first, levels without any left out. */
export function countByLevel(
  diagnostics: readonly Diagnostic[],
): { readonly level: Level; readonly count: number }[] {
  const counts = new Map<string, { level: Level; count: number }>();
  for (const diagnostic of diagnostics) {
    const level = levelOf(diagnostic);
    const counted = counts.get(level.key) ?? { level, count: 0 };
    counts.set(level.key, { ...counted, count: counted.count + 1 });
  }
  return [...counts.values()].sort((a, b) => compareLevels(a.level, b.level));
}

/** What hits can be filtered by: the known levels in their order, every other word that a document may hold, and none. */
export const LEVEL_GROUPS = ['critical', 'high', 'medium', 'low', 'other', 'unrated'] as const;
export type LevelGroup = (typeof LEVEL_GROUPS)[number];

export const CVE_FILTERS = ['with', 'without'] as const;

/** Which hits are shown: of these levels, with CVEs or without. An absent part lets every hit through. */
export type Filter = {
  readonly levels?: readonly LevelGroup[];
  readonly cve?: (typeof CVE_FILTERS)[number];
};

/** The group that a diagnostic's importance belongs to. */
export function groupOf(diagnostic: Pick<Diagnostic, 'importance'>): LevelGroup {
  const { key, rank } = levelOf(diagnostic);
  return key === '' ? 'unrated' : (LEVEL_GROUPS[rank] ?? 'other');
}

/** Whether a filter lets a hit through. */
export function passes(hit: Diagnostic, { levels, cve }: Filter): boolean {
  const hasLevel = levels === undefined || levels.includes(groupOf(hit));
  return hasLevel && (cve === undefined || hit.cveIds.length > 0 === (cve === 'with'));
}

/** Whether a filter lets every hit through. */
export function isOpen({ levels, cve }: Filter): boolean {
  return levels === undefined && cve === undefined;
}
