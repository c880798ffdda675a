import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import {
  countChecks,
  groupOf,
  LEVEL_GROUPS,
  type Level,
  type LevelGroup,
  levelOf,
  showsNoHits,
  sideOf,
} from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import { type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { count, counted } from './words.ts';

/** By rank. Circle and diamond also differ where red and orange are hard to tell. */
export const LEVEL_MARKS = ['🔴', '🔶', '🟡', '⚪'];
/** Levels of this rank and above are named in each report. */
const LEAST_GRAVE_RANK = 1;
const LONGEST_LEVEL = 24;

type Rated = Pick<Diagnostic, 'importance'>;

/** The mark of a level and a space that does not break; '' for an unknown level. */
export function levelMark({ rank }: Pick<Level, 'rank'>): string {
  const mark = LEVEL_MARKS[rank];
  return mark === undefined ? '' : `${mark}\u00a0`;
}

/** A level inside a sentence: a known one as a word, an unknown one as it stands. */
export function levelWord({ key, rank, word }: Level): string {
  return rank < LEVEL_MARKS.length || key === '' ? word.toLowerCase() : shorten(word, LONGEST_LEVEL);
}

export function isCritical(hit: Rated): boolean {
  return levelOf(hit).rank === 0;
}

/** Whether a hit is critical or high. */
export function isGrave(hit: Rated): boolean {
  return levelOf(hit).rank <= LEAST_GRAVE_RANK;
}

/** The level of hits in a count: all unknown levels together are `otherwise rated`. */
export function groupWord(group: LevelGroup): string {
  return group === 'other' ? 'otherwise rated' : group;
}

/** How many hits each level has, the most important first, and those without any left out. */
function sizes(hits: readonly Rated[]): { readonly rank: number; readonly said: string }[] {
  const by = Map.groupBy(hits, groupOf);
  const all = LEVEL_GROUPS.map((group, rank) => ({ group, rank, size: by.get(group)?.length ?? 0 }));
  return all
    .filter(({ size }) => size > 0)
    .map(({ group, rank, size }) => ({ rank, said: `${count(size)} ${groupWord(group)}` }));
}

/** `2 critical, 11 high` */
export function levelCounts(hits: readonly Rated[]): string {
  return sizes(hits)
    .map(({ said }) => said)
    .join(', ');
}

/** `2 critical, 11 high` of these hits, or, where none is critical or high, the levels that they have. */
export function graveCounts(hits: readonly Rated[]): string {
  const grave = hits.filter(isGrave);
  return levelCounts(grave.length > 0 ? grave : hits);
}

/** The counts with their marks, critical and high bold: `🔴 2 critical  🔶 11 high  🟡 16 medium`. */
export function countsLine(hits: readonly Rated[]): RichElement[] {
  return sizes(hits).flatMap(({ rank, said }, at) => {
    const start = `${at === 0 ? '' : '  '}${levelMark({ rank })}`;
    // A row never ends within one of the counts.
    const unbroken = said.replaceAll(' ', '\u00a0');
    if (rank > LEAST_GRAVE_RANK) return [words(`${start}${unbroken}`)];
    return [words(start), words(unbroken, { bold: true })];
  });
}

/** What a result says in a few words, which name no hit: `2 critical, 11 high`, or `no hits`. */
export function findings({ set }: Question, result: DiagnosticsResult): string {
  if (set === 'miss') return `${counted(countChecks(result, set).misses ?? 0, 'check')} passed`;
  const hits = sideOf(result, 'hit');
  if (hits.some(isGrave)) return graveCounts(hits);
  if (hits.length > 0) return counted(hits.length, 'hit');
  return showsNoHits(result, set) ? 'no hits' : 'no checks are listed';
}
