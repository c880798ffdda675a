import type { Diagnostic } from './diagnostics.ts';
import { levelOf } from './importance.ts';

/** What hits can be filtered by: the known levels, no level at all, and every other word that a document may hold. */
export const LEVEL_GROUPS = ['critical', 'high', 'medium', 'low', 'other', 'unrated'] as const;
export type LevelGroup = (typeof LEVEL_GROUPS)[number];

export const CVE_FILTERS = ['with', 'without'] as const;

/** Which hits are shown: of these levels, with CVEs or without. An absent part lets every hit through. */
export type Filter = {
  readonly levels?: readonly LevelGroup[];
  readonly cve?: (typeof CVE_FILTERS)[number];
};

const KNOWN: ReadonlyMap<string, LevelGroup> = new Map([
  ...LEVEL_GROUPS.slice(0, 4).map((group) => [group.toUpperCase(), group] as const),
  ['', 'unrated'] as const,
]);

/** The group that a diagnostic's importance belongs to. */
export function groupOf(diagnostic: Pick<Diagnostic, 'importance'>): LevelGroup {
  return KNOWN.get(levelOf(diagnostic).key) ?? 'other';
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
