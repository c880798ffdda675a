import type { Change } from '../../core/comparing.ts';
import { isEarlier, relationOf } from '../../core/diagnostics.ts';
import { countByLevel, levelsDown } from '../../core/importance.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import type { View } from '../blocks/action-values.ts';
import { shorten } from '../blocks/limits.ts';
import { type Line, ONLY_SHOWN } from './fitting.ts';
import { acceptedWords, wordOf } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import { type ShownHit, sizeOf } from './rows.ts';
import { count, counted, hardwareOf, joined, releaseOf, topLevels, unlistedDoubt } from './wording.ts';

const LONGEST_DEVICE_LINE = 200;
/** In the order in which they are counted; they are listed in another one. */
const COUNTED: readonly Change[] = ['new', 'changed', 'cleared', 'unchanged'];

/** What changed from one snapshot to another: how much, of which devices, and what is not known of it. */
export function comparisonLines(model: ResultModel): Line[] {
  const doubts = doubtsOf(model);
  return [
    { text: changeCounts(model, doubts.length > 0), isBold: true },
    { text: showing(model), report: '' },
    { text: totals(model, doubts.length > 0) },
    { text: againstTime(model.view), ...ONLY_SHOWN },
    ...doubts.map((text) => ({ text })),
    ...deviceLines(model.answers).map((text) => ({
      text: shorten(text, LONGEST_DEVICE_LINE),
      beside: '',
      report: text,
    })),
  ];
}

/**
 * `4 new (1 critical, 3 medium) · 2 changed (1 raised, 1 lowered) · 20 cleared (1 critical, 7 high …) · 8 unchanged`.
 */
function changeCounts(model: ResultModel, isDoubted: boolean): string {
  const said = COUNTED.filter((change) => sizeOf(change, model) > 0).map((change) => {
    const how = howGrave(change, model);
    return `${count(sizeOf(change, model))} ${wordOf(change, model)}${how === '' ? '' : ` (${how})`}`;
  });
  if (said.length === 0)
    return isDoubted ? 'No hits are listed in either snapshot' : '✓ No hits in either snapshot';
  const isNothingNew = !isDoubted && sizeOf('new', model) === 0;
  return [...(isNothingNew ? ['Nothing new'] : []), ...said].join(' · ');
}

/** `30 hits before, 13 after`; or '' where there are none. */
function totals(model: ResultModel, isDoubted: boolean): string {
  const { length } = model.all;
  const [before, after] = [length - sizeOf('new', model), length - sizeOf('cleared', model)];
  const accepted = acceptedWords(model.counts.accepted, after);
  return length === 0
    ? ''
    : `${counted(before, 'hit')}${isDoubted ? ' listed' : ''} before, ${count(after)} after${accepted}`;
}

function howGrave(change: Change, { all }: ResultModel): string {
  const hits = all.filter(({ kind }) => kind === change);
  if (change === 'unchanged') return '';
  if (change === 'changed') return directions(hits);
  const levels = countByLevel(hits.map(({ hit }) => hit));
  const named = topLevels(levels);
  return named.join(', ') + (levels.length > named.length ? ' …' : '');
}

function directions(hits: readonly ShownHit[]): string {
  const steps = hits.map(({ hit, was = hit }) => levelsDown(was, hit));
  const [raised, lowered] = [
    steps.filter((step) => step < 0).length,
    steps.filter((step) => step > 0).length,
  ];
  return joined(', ', raised > 0 && `${count(raised)} raised`, lowered > 0 && `${count(lowered)} lowered`);
}

/** What the message shows and hides, where somebody chose one kind; or ''. */
function showing(model: ResultModel): string {
  const { show } = model.view;
  const { shown, hidden } = model.counts;
  return show === undefined
    ? ''
    : `Showing ${count(shown)} ${wordOf(show, model)}, ${counted(hidden, 'other')} hidden`;
}

/** Where somebody swapped the two: that "before" is the later one; else ''. */
function againstTime({ before, question: { snapshotId } }: View): string {
  return before !== undefined && isEarlier(snapshotId, before.snapshotId)
    ? `Against time: snapshot ${snapshotId} was uploaded before ${before.snapshotId}`
    : '';
}

/** The device and its versions, or both, where it is not known whether they are one: that changes what "cleared" means. */
export function deviceLines({ result, before }: Answers): string[] {
  if (before === undefined) return [];
  const [was, is] = [releaseOf(before.result), releaseOf(result)];
  if (relationOf(before.result.device, result.device) !== 'same') {
    const both = [known(hardwareOf(before.result), was), known(hardwareOf(result), is)];
    const lines = both.every((each) => each === known()) ? [] : [`Before: ${both[0]}`, `After: ${both[1]}`];
    return [MAYBE_ONE, ...lines];
  }
  const hardware = hardwareOf(result);
  // The same product is named once.
  const { product } = before.result.software;
  const isSameProduct = product !== '' && is.startsWith(`${product} `) && was.startsWith(`${product} `);
  const sinceProduct = isSameProduct ? is.slice(product.length + 1) : is;
  const versions = was === is ? is && `Same version: ${is}` : `${known(was)} → ${known(sinceProduct)}`;
  return [hardware && `Same device: ${hardware}`, versions].filter((line) => line !== '');
}

function known(...texts: readonly string[]): string {
  return joined(' · ', ...texts) || 'unknown';
}

const MAYBE_ONE = 'Not known whether both are of one device';

/** What is not known because a document does not list all its hits: a sentence for each document of that kind. */
function doubtsOf({ view, answers }: ResultModel): string[] {
  const both = [
    [view.before, answers.before?.result, 'New hits may have been there before.'],
    [view.question, answers.result, 'Hits that are no longer listed may still be there.'],
  ] as const;
  return both.flatMap(([question, result, so]) => {
    const why = question && result ? unlistedDoubt(result, question.set) : '';
    return why === '' ? [] : [`Snapshot ${question?.snapshotId}: ${why} ${so}`];
  });
}
