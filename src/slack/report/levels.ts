import type { types } from '@slack/bolt';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByGroup, LEVEL_GROUPS, levelOf, showsNoHits, sideOf } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import { releaseOf } from '../../core/releases.ts';
import * as ui from '../blocks/blocks.ts';
import { LIMITS, shorten, visible } from '../blocks/limits.ts';
import { capital, count, counted, joined } from './words.ts';

/** The marks of the known levels, by rank. Circle and diamond differ also for those who can't tell red from orange. */
export const LEVEL_MARKS = ['🔴', '🔶', '🟡', '⚪'];
type Rated = Pick<Diagnostic, 'importance'>;

/** The mark of a level and a space that does not break; '' for an unknown level. */
export function levelMark({ rank }: { readonly rank: number }): string {
  const mark = LEVEL_MARKS[rank];
  return mark === undefined ? '' : `${mark}\u00a0`;
}

/** A level inside a sentence. */
export function levelWord({ word }: { readonly word: string }): string {
  return shorten(word, LIMITS.name).toLowerCase();
}

export function isCritical(hit: Rated): boolean {
  return levelOf(hit).rank === 0;
}

/** Whether a hit is critical or high. Each report names all of these. */
export function isGrave(hit: Rated): boolean {
  return levelOf(hit).rank <= 1;
}

/** How many hits each level has, in words: `2 critical`; '' for none. */
function sizes(counts: readonly number[]): string[] {
  return LEVEL_GROUPS.map((group, rank) => (counts[rank] ? `${count(counts[rank])} ${group}` : ''));
}

/** `2 critical, 11 high` */
export function levelCounts(hits: readonly Rated[]): string {
  return joined(', ', ...sizes(countByGroup(hits)));
}

/** `2 critical, 11 high` of these hits, or, where none is critical or high, the levels that they have. */
export function graveCounts(hits: readonly Rated[]): string {
  return graveWords(countByGroup(hits));
}

/** `graveCounts` of counts by rank. */
export function graveWords(counts: readonly number[]): string {
  const said = sizes(counts);
  return joined(', ', ...said.slice(0, 2)) || joined(', ', ...said);
}

/**
 * The counts with their marks, critical and high bold: `🔴 2 critical 🔶 11 high 🟡 16 medium`. No line breaks inside a count.
 */
export function countsLine(hits: readonly Rated[]): ui.RichElement[] {
  const said = sizes(countByGroup(hits)).map((size) => size.replaceAll(' ', '\u00a0'));
  const first = said.findIndex(Boolean);
  return said.flatMap((size, rank) => {
    const start = `${rank === first ? '' : '  '}${levelMark({ rank })}`;
    if (size === '') return [];
    return rank <= 1 ? [ui.words(start), ui.bold(size)] : [ui.words(`${start}${size}`)];
  });
}

/** Said in place of the exploited hits without a catalogue: nothing was compared, so there is no good news. */
export const NO_CATALOGUE =
  'Which CVEs are exploited is not known here: the bot’s operator has given it no catalogue';

/** `⚠ 3 known exploited`, a line of its own; undefined where no hit is. */
export function exploitedLine(hits: readonly Diagnostic[]): ui.RichElement[] | undefined {
  const size = hits.filter(({ exploitedSince }) => exploitedSince).length;
  return size === 0 ? undefined : [ui.words('⚠\u00a0'), ui.bold(`${count(size)} known exploited`)];
}

/** What a result says in a few words, which name no hit: `2 critical, 11 high`, or `no hits`; '' where it does not say. */
export function findings({ set }: Question, result: DiagnosticsResult): string {
  const hits = sideOf(result, 'hit');
  if (hits.length > 0) return graveCounts(hits.filter(isGrave)) || counted(hits.length, 'hit');
  return showsNoHits(result, set) ? 'no hits' : '';
}

type TableRow = { readonly label: string; readonly result: DiagnosticsResult };

/** How many hits of each level each result has, and its release. Slack takes one table a message, and no empty cell. */
export function levelTable(first: string, rows: readonly TableRow[]): types.TableBlock {
  const levels = LEVEL_GROUPS.slice(0, LEVEL_MARKS.length);
  const head = (text: string) => ui.richText([ui.bold(text)]);
  const cell = (text: string): types.RawTextElement => ({
    type: 'raw_text',
    text: visible(shorten(text, LIMITS.name)) || '–',
  });
  return {
    type: 'table',
    column_settings: [{}, ...levels.map(() => ({ align: 'right' }) as const), {}],
    rows: [
      [first, ...levels.map(capital), 'Release'].map(head),
      ...rows.map(({ label, result }) => {
        const counts = countByGroup(sideOf(result, 'hit')).slice(0, levels.length);
        return [label, ...counts.map(count), releaseNumber(result)].map(cell);
      }),
    ],
  };
}

/** `17.1.3.3`, or the version as it is stated; '' for none. */
export function releaseNumber({ software }: DiagnosticsResult): string {
  return releaseOf(software) ?? software.version;
}
