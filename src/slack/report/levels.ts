import type { types } from '@slack/bolt';
import { openHits } from '../../core/comparing.ts';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByGroup, LEVEL_GROUPS, levelOf, showsNoHits, sideOf } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import { releaseOf } from '../../core/releases.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import * as ui from '../blocks/blocks.ts';
import { LIMITS, shorten, visible } from '../blocks/limits.ts';
import { capital, count, counted, joined, some } from './words.ts';

/** The marks of the known levels, by rank. Their shapes differ, too, for people who can't tell red from orange. */
export const LEVEL_MARKS = ['🔴', '🔶', '🟡', '⚪'];
type Rated = Pick<Diagnostic, 'importance'>;

/** The mark of a level with a no-break space; '' for an unknown level. */
export function levelMark({ rank }: { readonly rank: number }): string {
  const mark = LEVEL_MARKS[rank];
  return mark === undefined ? '' : `${mark}\u00a0`;
}

/** The word of a level, in lower case for use in a sentence. */
export function levelWord({ word }: { readonly word: string }): string {
  return shorten(word, LIMITS.name).toLowerCase();
}

export function isCritical(hit: Rated): boolean {
  return levelOf(hit).rank === 0;
}

/** Whether a hit is critical or high. Every report names these hits. */
export function isGrave(hit: Rated): boolean {
  return levelOf(hit).rank <= 1;
}

/** The counts by level as texts such as `2 critical`; '' for a count of 0. */
function sizes(counts: readonly number[]): string[] {
  return LEVEL_GROUPS.map((group, rank) => (counts[rank] ? `${count(counts[rank])} ${group}` : ''));
}

/** The number of hits by level, such as `2 critical, 11 high`. */
export function levelCounts(hits: readonly Rated[]): string {
  return joined(', ', ...sizes(countByGroup(hits)));
}

/** The number of critical and high hits, such as `2 critical, 11 high`; if there are none, the numbers of other levels. */
export function graveCounts(hits: readonly Rated[]): string {
  return graveWords(countByGroup(hits));
}

/** Like `graveCounts`, for counts by rank. */
export function graveWords(counts: readonly number[]): string {
  const said = sizes(counts);
  return joined(', ', ...said.slice(0, 2)) || joined(', ', ...said);
}

/** The counts with marks, such as `🔴 2 critical 🔶 11 high 1 accepted`; lines break only between counts. */
export function countsLine(hits: readonly Rated[], accepted: readonly unknown[]): ui.RichElement[] {
  const counts = [...sizes(countByGroup(hits)), some(accepted, 'accepted')];
  const said = counts.map((size) => size.replaceAll(' ', '\u00a0'));
  const first = said.findIndex(Boolean);
  return said.flatMap((size, rank) => {
    const start = `${rank === first ? '' : '  '}${levelMark({ rank })}`;
    if (size === '') return [];
    return rank <= 1 ? [ui.words(start), ui.bold(size)] : [ui.words(`${start}${size}`)];
  });
}

/** Shown instead of “no exploited hits” if the bot has no catalogue of exploited CVEs to compare with. */
export const NO_CATALOGUE =
  'Which CVEs are exploited is not known here: the bot’s operator has given it no catalogue';

/** A line such as `⚠ 3 known exploited`; undefined if no hit is exploited. */
export function exploitedLine(hits: readonly Diagnostic[]): ui.RichElement[] | undefined {
  const size = hits.filter(({ exploitedSince }) => exploitedSince).length;
  return size === 0 ? undefined : [ui.words('⚠\u00a0'), ui.bold(`${count(size)} known exploited`)];
}

/** A result in a few words, without names of hits: `2 critical, 11 high` or `no hits`; '' if neither is certain. */
export function findings({ set }: Question, read: Pick<Answers, 'result' | 'accepted'>): string {
  const { length } = sideOf(read.result, 'hit');
  if (length > 0) return graveCounts(openHits(read).filter(isGrave)) || counted(length, 'hit');
  return showsNoHits(read.result, set) ? 'no hits' : '';
}

type TableRow = Pick<Answers, 'result' | 'accepted'> & { readonly label: string };

/** The open hits of each result by level, and its release. Slack allows one table a message, and no empty cells. */
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
      ...rows.map(({ label, ...read }) => {
        const counts = countByGroup(openHits(read)).slice(0, levels.length);
        return [label, ...counts.map(count), releaseNumber(read.result)].map(cell);
      }),
    ],
  };
}

/** The release such as `17.1.3.3`, else the version as the document states it, which may be ''. */
export function releaseNumber({ software }: DiagnosticsResult): string {
  return releaseOf(software) ?? software.version;
}
