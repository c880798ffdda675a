import { isOpen } from '../../core/filtering.ts';
import { upgradesOf } from '../../core/upgrading.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import { type Message, type RichElement, words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import type { ResultModel, ShownHit } from './model/result-model.ts';
import { filterSelect } from './parts/filter-select.ts';
import { compareLastButton, lastReadLine, lastReadText, NO_LAST_READ } from './parts/last-read-line.ts';
import { passedLine } from './parts/line-block.ts';
import { textLine } from './parts/message-text.ts';
import { pagedMessage } from './parts/paged-message.ts';
import type { Item } from './parts/pages.ts';
import { resultMenu } from './parts/result-menu.ts';
import { type Since, sinceLine, sinceText } from './parts/since-line.ts';
import { filterLine } from './words/filter-words.ts';
import { readWords } from './words/read-words.ts';
import { summaryOf } from './words/summary.ts';
import { upgradeLine } from './words/upgrade-words.ts';
import { countDoubt, deviceLine, titleOf } from './words/wording.ts';

/** A result, how its message shows it, and what changed since the message was made. */
type ResultView = {
  readonly model: ResultModel;
  readonly state: ViewState;
  readonly since?: Since | undefined;
};

const LONGEST_DEVICE_LINE = 200;

/** The answer: which device, how many hits of which importance, then a page of them, most important first. */
export function resultMessage(view: ResultView): Message {
  const { model, state } = view;
  const { all, shown, noun } = model;
  const { question } = state;
  const { lastRead } = model.answers;
  const counts = { shown: shown.length, all: all.length, noun, isComparable: true };
  return pagedMessage({
    state,
    title: titleOf(question, model.answers.result),
    headline: headline(view),
    overview: overview(view),
    ifRoom: upgradingOf(model, state),
    shown,
    items: shown.map((one, index) => itemOf(one, index, model)),
    textLine: ({ hit }) => textLine(hit),
    footer: [`asked by <@${state.askedBy}>`, readWords(model.answers.readAt, state.madeAt)],
    menus: [
      lastRead && compareLastButton(question, lastRead),
      noun === 'hit' ? filterSelect(model) : undefined,
      resultMenu(counts),
    ],
  });
}

function itemOf({ hit }: ShownHit, index: number, { view, usualHost }: ResultModel): Item {
  return hit.isHit ? { hit: { hit, index, view, usualHost } } : { line: passedLine(hit) };
}

function overview({ model, state, since }: ResultView): RichElement[][] {
  const { result, lastRead, hasNoLast } = model.answers;
  const device = deviceLine(result);
  const { bold, plain } = summaryOf(state.question, result);
  const doubt = countDoubt(state.question, result);
  const filtering = filterLine(model);
  return [
    ...(device === '' ? [] : [[words(shorten(device, LONGEST_DEVICE_LINE))]]),
    [words(bold, { bold: true }), ...(plain === '' ? [] : [words(plain)])],
    ...(doubt === '' ? [] : [[words(doubt)]]),
    ...(since === undefined ? [] : [sinceLine(since, model.noun)]),
    ...(lastRead === undefined ? [] : [lastReadLine(lastRead)]),
    ...(hasNoLast === undefined ? [] : [[words(NO_LAST_READ, { bold: true })]]),
    ...(filtering === '' ? [] : [[words(filtering, { bold: true })]]),
  ];
}

/** On the first page of everything: who filters or turns the page has read it. */
function upgradingOf({ answers }: ResultModel, { page, filter = {}, question }: ViewState): string {
  const isRead = page > 0 || question.set === 'miss' || !isOpen(filter);
  const upgrades = isRead ? undefined : upgradesOf(answers.result);
  return upgrades === undefined ? '' : upgradeLine(upgrades);
}

function headline({ model, state, since }: ResultView): string[] {
  const { result, lastRead, hasNoLast } = model.answers;
  const { bold, plain } = summaryOf(state.question, result);
  return [
    `${bold}${plain}`,
    countDoubt(state.question, result),
    since === undefined ? '' : sinceText(since, model.noun),
    lastRead === undefined ? '' : lastReadText(lastRead),
    hasNoLast === undefined ? '' : NO_LAST_READ,
    filterLine(model),
  ];
}
