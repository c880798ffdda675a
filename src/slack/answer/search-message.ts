import type { ViewState } from '../block-kit/action-values.ts';
import { button, type Message, type RichElement, words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import type { ResultModel } from './model/result-model.ts';
import type { ListedHit } from './model/result-pages.ts';
import { type Item, pagedMessage, passedLine } from './page.ts';
import { filterSelect } from './parts/filter-select.ts';
import { textLine } from './parts/message-text.ts';
import { resultMenu } from './result-menu.ts';
import { filterLine } from './words/filter-words.ts';
import { readWords } from './words/read-words.ts';
import { searchLine, unseenChecks, verdictLines } from './words/verdict-words.ts';
import { count, countDoubt, counted, deviceLine, noteOf, titleOf } from './words/wording.ts';

/** Shows the whole result again, in place of what a search found in it. */
export const WHOLE_RESULT_ACTION = 'whole-result';

type SearchView = { readonly model: ResultModel; readonly state: ViewState };

const LONGEST_LINE = 200;

/** What a search finds in a result: the verdict on each id first, then the hits and the passed checks that match. */
export function searchMessage(view: SearchView): Message {
  const { model, state } = view;
  const { noun, answers } = model;
  return pagedMessage({
    state,
    title: titleOf(state.question, answers.result),
    headline: linesOf(model),
    overview: overview(model),
    news: [],
    noun: noun === 'hit' ? 'Found' : 'Checks',
    listed: model.listed,
    pages: model.pages,
    itemOf: (each, index) => itemOf(each, index, model),
    textOf: ({ hit }) => textLine(hit),
    footer: [`asked by <@${state.askedBy}>`, readWords(answers.readAt, state.madeAt)],
    menus: [
      button(wholeResult(model), WHOLE_RESULT_ACTION, undefined, 'Show the whole result again'),
      noun === 'hit' ? filterSelect(model) : undefined,
      resultMenu(model),
    ],
  });
}

/** Checks that passed stand under a heading that says so, because their titles read like findings. */
function itemOf({ hit, form }: ListedHit, index: number, model: ResultModel): Item {
  const { view, counts, noun, passed = [], usualHost } = model;
  if (form === 'blocks') return { hit: { hit, index, view, note: noteOf(hit), usualHost } };
  const checks = noun === 'check' ? counts.shown : passed.length;
  return { section: `✓ Checked, not a hit (${count(checks)})`, line: passedLine(hit) };
}

function overview(model: ResultModel): RichElement[][] {
  const device = deviceLine(model.answers.result);
  // The verdicts, or else the line that says how much was found.
  const bold = Math.max(1, model.answers.found?.verdicts.length ?? 0);
  return [
    ...linesOf(model).map((line, index) => [
      words(shorten(line, LONGEST_LINE), index < bold ? { bold: true } : undefined),
    ]),
    ...(device === '' ? [] : [[words(shorten(device, LONGEST_LINE))]]),
  ];
}

function linesOf(model: ResultModel): string[] {
  const verdicts = verdictLines(model);
  const doubt = countDoubt(model.counts.checks);
  return [...verdicts, searchLine(model), doubt, unseenChecks(model), filterLine(model)].filter(
    (line) => line !== '',
  );
}

function wholeResult({ counts }: ResultModel): string {
  const { hits = 0 } = counts.checks.listed;
  return hits === 0 ? 'Show everything' : `Show all ${counted(hits, 'hit')}`;
}
