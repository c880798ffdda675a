import type { types } from '@slack/bolt';
import { CHANGES, type Change } from '../../core/comparing.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import { type Message, type RichElement, select, words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import {
  againstTime,
  bothIds,
  bothTotals,
  type ComparedModel,
  changeCounts,
  changeWord,
  comparisonDoubts,
  deviceLines,
  sectionTitle,
  unlisted,
  wordOf,
} from './comparison-words.ts';
import { textLine } from './message-text.ts';
import { clearedLine, type Item, pagedMessage } from './page.ts';
import { resultMenu } from './result-menu.ts';
import type { ListedHit, ShownHit } from './result-model.ts';
import { type Since, sinceLine, sinceText } from './since.ts';
import { capital, count, importanceOf, readWords } from './wording.ts';

export const SHOW_ACTION = 'show';
/** The choice that shows all changes again; each other choice is the name of one kind. */
const SHOW_ALL = 'changes';

/** Two results, how their message shows them, and what changed in either since the message was made. */
type ComparisonView = {
  readonly model: ComparedModel;
  readonly state: ViewState;
  readonly since?: readonly Since[];
};

const LONGEST_DEVICE_LINE = 200;

/** What changed from one snapshot to another: how much first, then what is new, what changed, and what is cleared. */
export function comparisonMessage(view: ComparisonView): Message {
  const { model, state, since = [] } = view;
  const { answers } = model;
  const readAt = Math.min(answers.readAt, answers.before?.readAt ?? answers.readAt);
  return pagedMessage({
    state,
    title: `Snapshots ${bothIds(state)}`,
    headline: headline(view),
    overview: overview(view),
    news: since.map((one) => sinceLine(one, answers.readAt, 'hit', `Snapshot ${one.snapshotId}: `)),
    noun: 'Changes',
    listed: model.listed,
    pages: model.pages,
    itemOf: (each, index) => itemOf(each, index, model),
    textOf: changeLine,
    footer: [
      `asked by <@${state.askedBy}>`,
      readWords(readAt, Math.min(state.madeAt, state.beforeMadeAt ?? state.madeAt)),
    ],
    menus: [changesSelect(view), resultMenu(model)],
  });
}

function itemOf(listed: ListedHit, index: number, model: ComparedModel): Item {
  const { hit, was, change = 'unchanged', form, accepted } = listed;
  const section = sectionTitle(change, model);
  if (form === 'line') return { section, line: clearedLine(listed) };
  const note = change === 'changed' && was !== undefined ? `was ${importanceOf(was)}` : '';
  const { view, usualHost } = model;
  return { section, hit: { hit, index, view, note, usualHost, accepted } };
}

function overview({ model }: ComparisonView): RichElement[][] {
  const { answers } = model;
  const shown = unlisted(model);
  const against = againstTime(model.view);
  const totals = bothTotals(model);
  return [
    [words(changeCounts(model), { bold: true }), ...(shown === '' ? [] : [words(` — ${shown}`)])],
    ...(totals === '' ? [] : [[words(totals)]]),
    ...(against === '' ? [] : [[words(against)]]),
    ...comparisonDoubts(model).map((sentence) => [words(sentence)]),
    ...deviceLines(answers).map((line) => [words(shorten(line, LONGEST_DEVICE_LINE))]),
  ];
}

function changesSelect({ model, state }: ComparisonView): types.StaticSelect | undefined {
  const { comparison } = model;
  const labels: Record<Change, string> = {
    new: 'New',
    changed: 'Importance changed',
    cleared: capital(wordOf('cleared', model)),
    unchanged: 'Unchanged',
  };
  const shown = CHANGES.find((change) => change === state.show);
  const kinds = CHANGES.filter((change) => comparison[change].length > 0 || change === shown);
  if (kinds.length === 0) return undefined;
  const changes = comparison.new.length + comparison.changed.length + comparison.cleared.length;
  const everything = { label: 'All changes', value: SHOW_ALL, size: changes };
  const choices = kinds.map((kind) => ({ label: labels[kind], value: kind, size: comparison[kind].length }));
  return showSelect('all changes', everything, choices, shown);
}

type Kind = { readonly label: string; readonly value: string; readonly size: number };

/** Lists one kind of what a message is about, or everything again, which the select calls `all`. */
export function showSelect(
  all: string,
  everything: Kind,
  kinds: readonly Kind[],
  shown: string | undefined,
): types.StaticSelect {
  const chosen = kinds.find(({ value }) => value === shown)?.label.toLowerCase() ?? all;
  const choices = [everything, ...kinds].map(({ label, value, size }) => ({
    label: `${label} (${count(size)})`,
    value,
  }));
  return select(`Show: ${chosen}`, SHOW_ACTION, [{ name: 'Show', choices }]);
}

function headline({ model, since = [] }: ComparisonView): string[] {
  return [
    changeCounts(model),
    bothTotals(model),
    ...comparisonDoubts(model),
    ...since.map((one) => sinceText(one, 'hit', `snapshot ${one.snapshotId}: `)),
    unlisted(model),
  ];
}

function changeLine(shown: ShownHit): string {
  return `${capital(changeWord(shown))}: ${textLine(shown.hit, shown.accepted)}`;
}
