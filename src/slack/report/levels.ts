import type { Diagnostic } from '../../core/diagnostics.ts';
import { countByLevel, type Level, levelOf } from '../../core/importance.ts';
import { type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { count, joined } from './words.ts';

/** By rank. Circle and diamond also differ where red and orange are hard to tell. */
export const LEVEL_MARKS = ['🔴', '🔶', '🟡', '⚪'];
/** Levels of this rank and above are named in each report. */
const LEAST_GRAVE_RANK = 1;

const LONGEST_LEVEL = 24;

type Rated = Pick<Diagnostic, 'importance'>;

/** The mark of a level and a space that does not break; '' for an unknown level. */
export function levelMark({ rank }: Level): string {
  const mark = LEVEL_MARKS[rank];
  return mark === undefined ? '' : `${mark}\u00a0`;
}

/** A level inside a sentence: a known one as a word, an unknown one as it stands. */
export function levelWord({ key, rank, word }: Level): string {
  return rank < LEVEL_MARKS.length || key === '' ? word.toLowerCase() : shorten(word, LONGEST_LEVEL);
}

export function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}

/** Whether a hit is critical or high. */
export function isGrave(hit: Diagnostic): boolean {
  return levelOf(hit).rank <= LEAST_GRAVE_RANK;
}

/** `2 critical, 11 high`: how many hits each level has; levels after the eighth together. */
export function levelCounts(hits: readonly Rated[]): string[] {
  return someLevels(hits).map(({ level, size }) =>
    joined(' ', count(size), level === undefined ? 'of other levels' : levelWord(level)),
  );
}

/** A document with more levels is no list that a person reads. */
const MOST_LEVELS = 8;

function someLevels(hits: readonly Rated[]): { level: Level | undefined; size: number }[] {
  const levels = countByLevel(hits).map(({ level, count: size }) => ({ level, size }));
  const rest = levels.slice(MOST_LEVELS).reduce((sum, { size }) => sum + size, 0);
  return [...levels.slice(0, MOST_LEVELS), ...(rest > 0 ? [{ level: undefined, size: rest }] : [])];
}

/** The counts with their marks, critical and high bold: `🔴 2 critical  🔶 11 high  🟡 16 medium`. */
export function countsLine(hits: readonly Diagnostic[]): RichElement[] {
  const levels = someLevels(hits);
  // A row never ends within one of several counts.
  const gap = levels.length > 1 ? '\u00a0' : ' ';
  return levels.flatMap(({ level, size }, at) => {
    const start = `${at === 0 ? '' : '  '}${level === undefined ? '' : levelMark(level)}`;
    const said = `${count(size)}${gap}${level === undefined ? 'of other levels' : levelWord(level)}`;
    const isBold = level !== undefined && level.rank <= LEAST_GRAVE_RANK;
    return isBold ? [words(start), words(said, { bold: true })] : [words(`${start}${said}`)];
  });
}
