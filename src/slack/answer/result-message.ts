import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { isOpen } from '../../core/filtering.ts';
import { Latest } from '../../core/latest.ts';
import { upgradesOf } from '../../core/upgrading.ts';
import { type ViewState, viewValue } from '../block-kit/action-values.ts';
import { type Message, type RichElement, words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import type { ResultModel } from './model/result-model.ts';
import type { ListedHit } from './model/result-pages.ts';
import { filterSelect } from './parts/filter-select.ts';
import { compareLastButton, lastReadLine, lastReadText, NO_LAST_READ } from './parts/last-read-line.ts';
import { passedLine } from './parts/line-block.ts';
import { textLine } from './parts/message-text.ts';
import { type Paged, pagedMessage } from './parts/paged-message.ts';
import type { Item } from './parts/pages.ts';
import { resultMenu } from './parts/result-menu.ts';
import { type Since, sinceLine, sinceText } from './parts/since-line.ts';
import { filterLine } from './words/filter-words.ts';
import { readWords } from './words/read-words.ts';
import { summaryOf } from './words/summary.ts';
import { upgradeLine } from './words/upgrade-words.ts';
import { countDoubt, deviceLine, noteOf, titleOf } from './words/wording.ts';

/** A result, how its message shows it, and what changed since the message was made. */
type ResultView = {
  readonly model: ResultModel;
  readonly state: ViewState;
  readonly since?: Since | undefined;
};

const LONGEST_DEVICE_LINE = 200;

/** What a message shows of a result whoever asks for it. */
type Shown = Omit<Paged, 'state' | 'footer'>;

const latestShown = new Latest<DiagnosticsResult, Shown>();

/** The answer: which device, how many hits of which importance, then a page of them, most important first. */
export function resultMessage(view: ResultView): Message {
  const { model, state, since } = view;
  const { lastRead, hasNoLast, readAt, result } = model.answers;
  const last = lastRead && [lastRead.question, lastRead.at, lastRead.found === undefined];
  const key = JSON.stringify([state.question, viewValue(state), state.page, last, hasNoLast]);
  // What changed since is said of one message alone.
  const shown = since === undefined ? latestShown.of(result, key, () => shownOf(view)) : shownOf(view);
  const footer = [`asked by <@${state.askedBy}>`, readWords(readAt, state.madeAt)];
  return pagedMessage({ ...shown, state, footer });
}

function shownOf(view: ResultView): Shown {
  const { model, state } = view;
  const { listed, pages, noun } = model;
  const { question } = state;
  const { lastRead, result } = model.answers;
  return {
    title: titleOf(question, result),
    headline: headline(view),
    overview: overview(view),
    ifRoom: upgradingOf(model, state),
    items: listed.map((each, index) => itemOf(each, index, model)),
    pages,
    textLines: listed.map(({ hit }) => textLine(hit)),
    menus: [
      lastRead && compareLastButton(question, lastRead),
      noun === 'hit' ? filterSelect(model) : undefined,
      resultMenu(model),
    ],
  };
}

function itemOf({ hit, form }: ListedHit, index: number, { view, usualHost }: ResultModel): Item {
  return form === 'line'
    ? { line: passedLine(hit) }
    : { hit: { hit, index, view, note: noteOf(hit), usualHost } };
}

function overview({ model, since }: ResultView): RichElement[][] {
  const { result, lastRead, hasNoLast } = model.answers;
  const device = deviceLine(result);
  const { bold, plain } = summaryOf(model);
  const doubt = countDoubt(model.counts.checks);
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

function headline({ model, since }: ResultView): string[] {
  const { lastRead, hasNoLast } = model.answers;
  const { bold, plain } = summaryOf(model);
  return [
    `${bold}${plain}`,
    countDoubt(model.counts.checks),
    since === undefined ? '' : sinceText(since, model.noun),
    lastRead === undefined ? '' : lastReadText(lastRead),
    hasNoLast === undefined ? '' : NO_LAST_READ,
    filterLine(model),
  ];
}
