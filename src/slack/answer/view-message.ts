import type { types } from '@slack/bolt';
import { type Answers, answersOf, type Unit } from '../../lookups/lookup-status.ts';
import { type ViewState, viewValue } from '../block-kit/action-values.ts';
import { button, type Message } from '../block-kit/blocks.ts';
import { comparisonLines } from './comparison-words.ts';
import { filterSelect, showSelect } from './filter.ts';
import type { Line } from './message-text.ts';
import { pagedMessage } from './page.ts';
import { resultMenu } from './result-menu.ts';
import { modelOf, type ResultModel } from './result-model.ts';
import { resultLines } from './result-words.ts';
import { arranged, namedUnits, readyAt } from './rows.ts';
import { searchLines } from './search-words.ts';
import { severalLines } from './several-words.ts';
import { compareLastButton, newsOf, type Since } from './since.ts';
import { ASK_AGAIN_ACTION } from './waiting.ts';
import { counted, readWords } from './wording.ts';

/** Shows the whole result again, in place of what a search found in it. */
export const WHOLE_RESULT_ACTION = 'whole-result';

/** What stands below a message while it waits. */
type WhileWaiting = { readonly footer: readonly string[]; readonly menus: readonly types.Button[] };

/** The message that shows this of these answers: one result, what a search finds in it, a comparison, or several. */
export function viewMessage(
  state: ViewState,
  answers: Answers,
  since: readonly Since[] = [],
  isWindow = false,
): Message {
  const { state: view, answers: shown } = arranged(state, answers);
  const model = modelOf(view, shown);
  return pagedMessage({
    state: view,
    model,
    lines: linesOf(model),
    news: newsOf(since, model),
    footer: footerOf(view, shown),
    menus: menusOf(model),
    isWindow,
  });
}

/** What is known of several snapshots while some are waited for, or where none has a result. */
export function unitsMessage(state: ViewState, units: readonly Unit[], waiting?: WhileWaiting): Message {
  const answers = answersOf(state, units);
  const model = answers && modelOf(state, answers);
  return pagedMessage({
    state,
    // The other pages come with the answer.
    model: model && { ...model, pages: model.pages.slice(0, 1) },
    lines: model ? linesOf(model) : severalLines(namedUnits(units), model),
    news: [],
    footer: waiting?.footer ?? footerOf(state, answers),
    menus: waiting?.menus ?? [againButton(state, units)],
  });
}

/** What is said above the hits of a view. */
export function linesOf(model: ResultModel): Line[] {
  switch (model.about) {
    case 'one':
      return resultLines(model);
    case 'search':
      return searchLines(model);
    case 'changes':
      return comparisonLines(model);
    case 'several':
      return severalLines(model.units ?? [], model);
    default:
      return model.about satisfies never;
  }
}

function footerOf(
  { askedBy, madeAt, beforeMadeAt = madeAt }: ViewState,
  answers: Answers | undefined,
): string[] {
  const asked = `asked by <@${askedBy}>`;
  if (answers === undefined) return [asked];
  const readAt = Math.min(answers.readAt, answers.before?.readAt ?? answers.readAt);
  return [asked, readWords(readAt, Math.min(readAt, madeAt, beforeMadeAt))];
}

/** What leads to more, then what is shown of it, then everything else. */
function menusOf(model: ResultModel) {
  const { view, answers, about, noun, units = [], counts } = model;
  const { lastRead } = answers;
  const { hits = 0 } = counts.checks.listed;
  const all = about === 'several' ? 'Show all hits' : `Show all ${counted(hits, 'hit')}`;
  return [
    readyAt(units).length < units.length ? againButton(view, units) : undefined,
    about === 'one' && lastRead ? compareLastButton(view.question, lastRead) : undefined,
    view.search && button(about === 'search' && hits === 0 ? 'Show everything' : all, WHOLE_RESULT_ACTION),
    showSelect(model),
    about !== 'changes' && noun === 'hit' ? filterSelect(model) : undefined,
    resultMenu(model),
  ];
}

function againButton(view: ResultModel['view'], units: readonly Unit[]): types.Button {
  const again = units.some(({ kind }) => kind === 'open') ? 'Keep waiting' : 'Try again';
  return button(again, ASK_AGAIN_ACTION, viewValue(view), `${again} for those without a result`);
}
