import type { types } from '@slack/bolt';
import { type Side, sideOf } from '../../core/counting.ts';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import {
  actions,
  button,
  header,
  type Message,
  type RichElement,
  richText,
  smallPrint,
  words,
} from '../blocks.ts';
import { pageValue } from '../button-values.ts';
import { inert } from '../inert-text.ts';
import { LIMITS, shorten } from '../limits.ts';
import { hitPages, missPages } from './pages.ts';
import { slackTime } from './slack-time.ts';
import { summaryOf } from './summary.ts';
import { countDoubt, deviceLine, titleOf } from './wording.ts';

export const PREVIOUS_ACTION = 'page-previous';
export const NEXT_ACTION = 'page-next';

/** What a result message is made of. `page` counts from 0 and is kept within what there is; `readAt` is epoch ms. */
export type ResultView = {
  readonly question: Question;
  readonly result: DiagnosticsResult;
  readonly page: number;
  readonly askedBy: string;
  readonly readAt: number;
};

const LONGEST_DEVICE_LINE = 200;

/** The answer: which device, how many hits of which importance, then a page of them, most important first. */
export function resultMessage(view: ResultView): Message {
  const { question, result } = view;
  const side: Side = question.set === 'miss' ? 'miss' : 'hit';
  const shown = sideOf(result, side);
  const pages = side === 'hit' ? hitPages(shown, question) : missPages(shown);
  const number = Math.min(Math.max(view.page, 0), Math.max(pages.length - 1, 0));
  const page = pages[number] ?? { first: 0, count: 0, blocks: [] };
  const place = pages.length > 1 ? `Page ${number + 1} of ${pages.length}` : '';
  return {
    text: resultText(view, shown.slice(page.first, page.first + page.count), place),
    blocks: [
      header(titleOf(question, result)),
      richText(...overview(question, result)),
      ...page.blocks,
      smallPrint(footer(view, place)),
      ...pagingButtons(view, pages.length, number),
    ],
  };
}

function overview(question: Question, result: DiagnosticsResult): RichElement[][] {
  const device = deviceLine(result);
  const { bold, plain } = summaryOf(question, result);
  const doubt = countDoubt(question, result);
  return [
    ...(device === '' ? [] : [[words(shorten(device, LONGEST_DEVICE_LINE))]]),
    [words(bold, { bold: true }), ...(plain === '' ? [] : [words(plain)])],
    ...(doubt === '' ? [] : [[words(doubt)]]),
  ];
}

function footer({ askedBy, readAt, question }: ResultView, place: string): string {
  const parts = [
    ...(place === '' ? [] : [place]),
    ...(question.set === 'all' ? [] : [question.set === 'hit' ? 'hits only' : 'passed checks only']),
    `asked by <@${askedBy}>`,
    `read ${slackTime(readAt)}`,
  ];
  return parts.join(' · ');
}

function pagingButtons(view: ResultView, pages: number, number: number): types.KnownBlock[] {
  const { question, askedBy } = view;
  const turn = (label: string, actionId: string, page: number) =>
    button(label, actionId, pageValue({ question, page, askedBy }), `Page ${page + 1} of ${pages}`);
  const buttons = [
    ...(number > 0 ? [turn('◂ Previous', PREVIOUS_ACTION, number - 1)] : []),
    ...(number < pages - 1 ? [turn('Next ▸', NEXT_ACTION, number + 1)] : []),
  ];
  return buttons.length > 0 ? [actions(buttons)] : [];
}

/** The same for notifications, screen readers and the day when Slack refuses the blocks: it stands by itself. */
function resultText({ question, result }: ResultView, shown: readonly Diagnostic[], place: string): string {
  const { bold, plain } = summaryOf(question, result);
  const title = shorten(titleOf(question, result), LIMITS.header);
  const page = place.toLowerCase();
  const headline = [`${title}: ${bold}${plain}`, countDoubt(question, result), page].filter(Boolean);
  return wholeLines([headline.join(' · '), ...shown.map(textLine)].map(inert));
}

const LONGEST_TEXT_LINE = 150;

function textLine(diagnostic: Diagnostic): string {
  const { isHit, name, title } = diagnostic;
  // Of a check that passed the importance says nothing, and its title reads like a finding.
  const mark = isHit ? `${levelOf(diagnostic).word} ·` : '✓';
  return shorten(`${mark} ${name} · ${title}`, LONGEST_TEXT_LINE);
}

/** As many lines as fit; half a line could end in half of an escape. */
function wholeLines(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length + 1 > LIMITS.text) return `${text}\n…`;
    text += text === '' ? line : `\n${line}`;
  }
  return text;
}
