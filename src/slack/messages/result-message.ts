import type { types } from '@slack/bolt';
import { header, type Message, type RichElement, richText, smallPrint, words } from '../blocks.ts';
import type { ViewState } from '../button-values.ts';
import { LIMITS, shorten, weigh } from '../limits.ts';
import { type Answers, diagnosticsOf, shownHits } from '../shown-hits.ts';
import { controls, pagePlace } from './controls.ts';
import { filterSelect } from './filter-select.ts';
import { filterLine } from './filter-words.ts';
import { hitBlocks } from './hit-blocks.ts';
import { messageText, textLine } from './message-text.ts';
import { missLine } from './miss-block.ts';
import { type Item, paginate } from './pages.ts';
import { resultMenu } from './result-menu.ts';
import { type Since, sinceLine, sinceText } from './since-line.ts';
import { slackTime } from './slack-time.ts';
import { summaryOf } from './summary.ts';
import { countDoubt, deviceLine, titleOf } from './wording.ts';

/** A result, where and how it is shown, and what changed since the message was made. */
export type ResultView = {
  readonly state: ViewState;
  readonly answers: Answers;
  readonly since?: Since | undefined;
};

const LONGEST_DEVICE_LINE = 200;

/** The answer: which device, how many hits of which importance, then a page of them, most important first. */
export function resultMessage(view: ResultView): Message {
  const { state, answers } = view;
  const shown = shownHits(state, answers).map(({ hit }) => hit);
  const frame = framed(view, shown.length);
  const items: Item[] = shown.map((hit, index) =>
    hit.isHit ? { blocks: hitBlocks({ hit, index, view: state }) } : { line: missLine(hit) },
  );
  // A frame with both paging buttons is the heaviest that this view can have.
  const pages = paginate(items, LIMITS.messageJson - weigh(frame(1, 3)));
  const number = Math.min(state.page, Math.max(pages.length - 1, 0));
  const { first, count, blocks } = pages[number] ?? { first: 0, count: 0, blocks: [] };
  const { top, bottom } = frame(number, pages.length);
  return {
    text: messageText(
      headline(view, pagePlace(number, pages.length)),
      shown.slice(first, first + count).map(textLine),
    ),
    blocks: [...top, ...blocks, ...bottom],
  };
}

type Frame = { readonly top: types.KnownBlock[]; readonly bottom: types.KnownBlock[] };

/** Everything but the hits, for a page of so many; `number` counts from 0. */
function framed(view: ResultView, shown: number): (number: number, pages: number) => Frame {
  const { state, answers } = view;
  const all = diagnosticsOf(state, answers);
  const noun = nounOf(view);
  const top = [header(titleOf(state.question, answers.result)), richText(...overview(view))];
  const menus = [
    noun === 'hit' ? filterSelect(all, state.filter ?? {}) : undefined,
    resultMenu({ shown, all: all.length, noun, isComparable: true }),
  ];
  return (number, pages) => ({
    top,
    bottom: [smallPrint(footer(view, pagePlace(number, pages))), controls({ state, number, pages, menus })],
  });
}

function overview({ state, answers, since }: ResultView): RichElement[][] {
  const { question } = state;
  const { result } = answers;
  const device = deviceLine(result);
  const { bold, plain } = summaryOf(question, result);
  const doubt = countDoubt(question, result);
  const filtering = hidingLine({ state, answers });
  return [
    ...(device === '' ? [] : [[words(shorten(device, LONGEST_DEVICE_LINE))]]),
    [words(bold, { bold: true }), ...(plain === '' ? [] : [words(plain)])],
    ...(doubt === '' ? [] : [[words(doubt)]]),
    ...(since === undefined ? [] : [sinceLine(since, nounOf({ state }))]),
    ...(filtering === '' ? [] : [[words(filtering, { bold: true })]]),
  ];
}

function hidingLine({ state, answers }: ResultView): string {
  return state.question.set === 'miss' ? '' : filterLine(diagnosticsOf(state, answers), state.filter ?? {});
}

function nounOf({ state }: Pick<ResultView, 'state'>): 'hit' | 'check' {
  return state.question.set === 'miss' ? 'check' : 'hit';
}

function footer({ state, answers }: ResultView, place: string): string {
  const { askedBy, question } = state;
  const parts = [
    ...(place === '' ? [] : [place]),
    ...(question.set === 'all' ? [] : [question.set === 'hit' ? 'hits only' : 'passed checks only']),
    `asked by <@${askedBy}>`,
    `read ${slackTime(answers.readAt)}`,
  ];
  return parts.join(' · ');
}

function headline(view: ResultView, place: string): string[] {
  const { state, answers, since } = view;
  const { bold, plain } = summaryOf(state.question, answers.result);
  return [
    `${shorten(titleOf(state.question, answers.result), LIMITS.header)}: ${bold}${plain}`,
    countDoubt(state.question, answers.result),
    since === undefined ? '' : sinceText(since, nounOf(view)),
    hidingLine(view),
    place.toLowerCase(),
  ];
}
