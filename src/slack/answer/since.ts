import type { types } from '@slack/bolt';
import type { Comparison, Named } from '../../core/comparing.ts';
import type { SnapshotId } from '../../core/diagnostics.ts';
import { inOrder, type Question } from '../../core/lookup.ts';
import type { Answers, LastRead } from '../../lookups/lookup-status.ts';
import { viewValue } from '../blocks/action-values.ts';
import { button, day, moment, type RichElement, textIn, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import type { Line } from './fitting.ts';
import { RATED_DIFFERENTLY } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import { count } from './wording.ts';

/** What changed in a result since its message was made at `at` (epoch ms); `found` is absent when nobody knows. */
export type Since = {
  readonly snapshotId: SnapshotId;
  readonly at: number;
  readonly found: Comparison<Named> | undefined;
};

const HALF_A_DAY_MS = 43_200_000;
const MOST_NAMES = 3;
const LONGEST_NAME = 24;

/** `2 new (D000162521, H00040234), 1 cleared since 9:14 AM.`, read at `readAt` (epoch ms). `subject` says of what. */
function sinceLine(
  { at, found }: Since,
  readAt: number,
  noun: 'hit' | 'check',
  subject: string,
): RichElement[] {
  return found === undefined
    ? saidSince(`${subject}What changed`, at, readAt, ' is not known.')
    : saidSince(`${subject}${changesIn(found, noun) || 'Nothing changed'}`, at, readAt);
}

/** Within half a day the time alone says which one is meant. */
function saidSince(said: string, at: number, readAt: number, end = '.'): RichElement[] {
  const format = readAt - at < HALF_A_DAY_MS ? '{time}' : '{date_short} at {time}';
  return [words(`${said} since `), moment(at, format), words(end)];
}

/** The same for each snapshot of a message, by its id where there are two. */
export function newsOf(since: readonly Since[], model: ResultModel): Line[] {
  const { about, answers, noun } = model;
  if (about === 'several') return newsOfSeveral(since, model);
  return since.map((one) => {
    const subject = about === 'changes' ? `Snapshot ${one.snapshotId}: ` : '';
    const rich = sinceLine(one, answers.readAt, noun, subject);
    const said = one.found === undefined ? '' : changesIn(one.found, noun);
    const beside = said === '' ? '' : `${subject}${said} since the message was made`;
    return { text: rich.map(textIn).join(''), rich, beside };
  });
}

/** In one line, by the names of the snapshots; nothing where that is not known of any. */
function newsOfSeveral(since: readonly Since[], { units = [], answers, noun }: ResultModel): Line[] {
  const known = since.flatMap(({ snapshotId, found }) => (found ? { snapshotId, found } : []));
  const changed = known.flatMap(({ snapshotId, found }) => {
    const said = changesIn(found, noun);
    const unit = units.find(({ question }) => question.snapshotId === snapshotId);
    return said === '' ? [] : `${unit?.name ?? snapshotId}: ${said}`;
  });
  const isAll = known.length > 0 && known.length === since.length;
  const text = changed.join('; ') || (isAll ? 'Nothing changed' : '');
  const rich = saidSince(text, since[0]?.at ?? 0, answers.readAt);
  return [{ text, rich, beside: text && `${text} since the message was made` }];
}

const CHANGED: Record<'hit' | 'check', readonly (readonly [keyof ChangeCounts, string])[]> = {
  hit: [
    ['new', 'new'],
    ['cleared', 'cleared'],
    ['changed', RATED_DIFFERENTLY],
  ],
  // Of a check that passed, the importance says nothing.
  check: [
    ['new', 'more passed'],
    ['cleared', 'no longer passed'],
  ],
};

/** `2 new (D000162521, H00040234), 1 cleared`; empty where nothing changed. */
export function changesIn(found: Comparison<Named>, noun: 'hit' | 'check'): string {
  const said = CHANGED[noun].flatMap(([change, what]) => {
    const hits = found[change].map(({ hit }) => shorten(hit.name, LONGEST_NAME));
    const names = `${hits.slice(0, MOST_NAMES).join(', ')}${hits.length > MOST_NAMES ? ' …' : ''}`;
    return hits.length === 0 ? [] : `${count(hits.length)} ${what} (${names})`;
  });
  return said.join(', ');
}

const NO_LAST_READ =
  'No other snapshot of this device was looked up here recently, so there is nothing to compare with.';

const LONGEST_HOST = 60;

/** Compares with what was read of the device before. */
export const COMPARE_LAST_ACTION = 'compare-last';

/**
 * `Since 26808400 (looked up Nov 17): 2 new, 5 cleared`, or `26808463 (looked up today) is newer: 5 cleared there`.
 * "Looked up", not "taken": no document says when it was taken.
 */
export function lastReadLine({ lastRead: last, hasNoLast }: Answers): Line {
  if (last === undefined) return { text: hasNoLast ? NO_LAST_READ : '', isBold: true, report: '' };
  const [begin, end] = partsOf(last);
  const rich = [words(`${begin} (`), day(last.at, 'looked up'), words(`)${end}`)];
  const text = `${begin}${end}`;
  return { text, rich, short: [words(text)], report: '' };
}

/** What stands before the day and behind it. */
function partsOf({ question: { snapshotId }, isNewer, isOtherHost, host = '', found }: LastRead) {
  // A chassis can hold several hosts, such as guests or blades.
  if (isOtherHost)
    return [`Same chassis, other host: ${shorten(host, LONGEST_HOST)}, ${snapshotId}`, ''] as const;
  const changes = found && changeWords(countsOf(found));
  if (isNewer) return [snapshotId, ` is newer${changes === undefined ? '' : `: ${changes} there`}`] as const;
  if (changes === undefined) return [`Earlier snapshot of this device: ${snapshotId}`, ''] as const;
  return [`Since ${snapshotId}`, `: ${changes}`] as const;
}

/** What changed from the earlier to the later of the two. */
export function compareLastButton({ snapshotId }: Question, last: LastRead): types.Button {
  const other = last.question.snapshotId;
  const value = viewValue(inOrder({ snapshotId, set: 'hit' }, { snapshotId: other, set: 'hit' }));
  return button('Compare', COMPARE_LAST_ACTION, value, `Compare with snapshot ${other}`);
}

/** How many hits of each kind changed. */
export type ChangeCounts = { readonly new: number; readonly changed: number; readonly cleared: number };

export function countsOf({ new: added, changed, cleared }: Comparison<Named>): ChangeCounts {
  return { new: added.length, changed: changed.length, cleared: cleared.length };
}

export function isNews(found: Comparison<Named>): boolean {
  return Object.values(countsOf(found)).some((size) => size > 0);
}

/** `2 new, 5 cleared` */
export function changeWords(counts: ChangeCounts): string {
  const said = CHANGED.hit.filter(([change]) => counts[change] > 0);
  return said.map(([change, what]) => `${count(counts[change])} ${what}`).join(', ') || 'nothing new';
}
