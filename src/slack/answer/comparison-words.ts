import { CHANGES, type Change, type Comparison } from '../../core/comparing.ts';
import { relationOf } from '../../core/device-identity.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { countByLevel, levelsDown } from '../../core/importance.ts';
import { isEarlier } from '../../core/snapshot-id.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import type { View } from '../block-kit/action-values.ts';
import { acceptedWords } from './accepted-line.ts';
import type { ResultModel, ShownHit } from './result-model.ts';
import {
  capital,
  count,
  counted,
  hardwareOf,
  importanceOf,
  OTHER_HOST,
  releaseOf,
  topLevels,
  unlistedDoubt,
} from './wording.ts';

/** A comparison with the documents that it is made of. */
export type ComparedModel = ResultModel & { readonly comparison: Comparison<Diagnostic> };

/** Where somebody swapped the two: that "before" is the later one; else ''. */
export function againstTime({ before, question: { snapshotId } }: View): string {
  return before !== undefined && isEarlier(snapshotId, before.snapshotId)
    ? `Against time: snapshot ${snapshotId} was uploaded before ${before.snapshotId}`
    : '';
}

/** `1010 → 1011` */
export function bothIds({ before, question }: View): string {
  return `${before?.snapshotId ?? ''} → ${question.snapshotId}`;
}

/**
 * `4 new (1 critical, 3 medium) · 2 changed (1 raised, 1 lowered) · 20 cleared (1 critical, 7 high …) · 8 unchanged`.
 */
export function changeCounts(model: ComparedModel): string {
  const { comparison } = model;
  const said = ORDER.filter((change) => comparison[change].length > 0).map((change) => {
    const how = howGrave(change, comparison[change]);
    return `${count(comparison[change].length)} ${wordOf(change, model)}${how === '' ? '' : ` (${how})`}`;
  });
  if (comparisonDoubts(model).length > 0) return said.join(' · ') || 'No hits are listed in either snapshot';
  if (said.length === 0) return '✓ No hits in either snapshot';
  return comparison.new.length > 0 ? said.join(' · ') : `Nothing new · ${said.join(' · ')}`;
}

/** `30 hits before, 13 after`; or '' where there are none. */
export function bothTotals(model: ComparedModel): string {
  const { new: added, changed, cleared, unchanged } = model.comparison;
  const kept = changed.length + unchanged.length;
  if (kept + cleared.length + added.length === 0) return '';
  const listed = comparisonDoubts(model).length > 0 ? ' listed' : '';
  const after = kept + added.length;
  const accepted = acceptedWords(model.counts.accepted, after);
  return `${counted(kept + cleared.length, 'hit')}${listed} before, ${count(after)} after${accepted}`;
}

function howGrave(change: Change, hits: Comparison<Diagnostic>[Change]): string {
  if (change === 'unchanged') return '';
  if (change === 'changed') return directions(hits);
  const levels = countByLevel(hits.map(({ hit }) => hit));
  const named = topLevels(levels);
  return named.join(', ') + (levels.length > named.length ? ' …' : '');
}

function directions(hits: Comparison<Diagnostic>['changed']): string {
  const steps = hits.map(({ hit, was }) => (was === undefined ? 0 : levelsDown(was, hit)));
  const [raised, lowered] = [
    steps.filter((step) => step < 0).length,
    steps.filter((step) => step > 0).length,
  ];
  return [raised > 0 ? `${count(raised)} raised` : '', lowered > 0 ? `${count(lowered)} lowered` : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** What the message shows and hides, where somebody chose one kind; or ''. */
export function unlisted(model: ComparedModel): string {
  const show = CHANGES.find((change) => change === model.view.show);
  if (show === undefined) return '';
  const { shown, hidden } = model.counts;
  return `Showing ${count(shown)} ${wordOf(show, model)}, ${counted(hidden, 'other')} hidden`;
}

const ORDER: readonly Change[] = ['new', 'changed', 'cleared', 'unchanged'];

/** What stands above the hits of one kind. */
export function sectionTitle(change: Change, model: ComparedModel): string {
  const { before, question } = model.view;
  const gone = wordOf('cleared', model);
  const titles: Record<Change, string> = {
    new: `+ New in ${question.snapshotId}`,
    changed: '± Importance changed',
    cleared: `${gone === 'cleared' ? '✓' : '?'} ${capital(gone)} (was in ${before?.snapshotId ?? ''})`,
    unchanged: '= Unchanged',
  };
  return `${titles[change]} · ${count(model.comparison[change].length)}`;
}

/**
 * Both devices and versions, and whether they are the same: another device or version is compared all the same, but
 * it changes what "cleared" means.
 */
export function deviceLines({ result, before }: Answers): string[] {
  if (before === undefined) return [];
  const [was, is] = [releaseOf(before.result), releaseOf(result)];
  const relation = relationOf(before.result.device, result.device);
  if (relation !== 'same') {
    const both = [known(hardwareOf(before.result), was), known(hardwareOf(result), is)];
    const lines = both.every((each) => each === known()) ? [] : [`Before: ${both[0]}`, `After: ${both[1]}`];
    const heads = { other: twoDevices(was, is), chassis: OTHER_HOST, unknown: MAYBE_ONE };
    return [heads[relation], ...lines];
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
  return texts.filter((text) => text !== '').join(' · ') || 'unknown';
}

const MAYBE_ONE = 'Not known whether both are of one device';

function twoDevices(was: string, is: string): string {
  if (was === '' || is === '') return 'Two devices';
  return `Two devices on ${was === is ? 'the same version' : 'different versions'}`;
}

/** What became of one hit of a comparison; or ''. */
export function becameOf(shown: ShownHit, { before, question }: View): string {
  const { change, was } = shown;
  switch (change) {
    case 'new':
      return `New in snapshot ${question.snapshotId}`;
    case 'changed':
      return was === undefined ? '' : `Importance changed (was ${importanceOf(was)})`;
    case 'cleared':
      return `${capital(changeWord(shown))} (was in snapshot ${before?.snapshotId ?? ''})`;
    case 'unchanged':
      return 'Unchanged';
    default:
      return '';
  }
}

type Compared = Pick<ResultModel, 'view' | 'answers'>;

/** The name of what became of a hit, inside a sentence; '' where nothing is compared. */
export function changeWord({ change, isUncertain }: Pick<ShownHit, 'change' | 'isUncertain'>): string {
  return isUncertain ? 'no longer listed' : (change ?? '');
}

/** The same for all hits of a comparison that have this change. */
export function wordOf(change: Change, { all }: Pick<ResultModel, 'all'>): string {
  return changeWord(all.find((shown) => shown.change === change) ?? { change });
}

/** What is not known because a document does not list all its hits: a sentence for each document of that kind. */
export function comparisonDoubts({ view, answers }: Compared): string[] {
  return [
    doubt(view.before, answers.before?.result, 'New hits may have been there before.'),
    doubt(view.question, answers.result, 'Hits that are no longer listed may still be there.'),
  ].filter((sentence) => sentence !== '');
}

function doubt(
  question: Compared['view']['before'],
  result: Compared['answers']['result'] | undefined,
  so: string,
): string {
  const why = question && result ? unlistedDoubt(result, question.set) : '';
  return why === '' ? '' : `Snapshot ${question?.snapshotId}: ${why} ${so}`;
}
