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
import { hitPages, missPages, type Page } from './pages.ts';
import { slackTime } from './slack-time.ts';
import { countDoubt, counted, deviceLine, hitCounts, titleOf } from './wording.ts';

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

const LONGEST_DEVICE_LINE = 400;

/** The answer: which device, how many hits of which importance, then a page of them, most important first. */
export function resultMessage(view: ResultView): Message {
  const { question, result } = view;
  const side: Side = question.set === 'miss' ? 'miss' : 'hit';
  const shown = sideOf(result, side);
  const pages = side === 'hit' ? hitPages(shown, question) : missPages(shown);
  const number = Math.min(Math.max(view.page, 0), Math.max(pages.length - 1, 0));
  const page = pages[number] ?? { first: 0, count: 0, blocks: [] };
  return {
    text: resultText(view, shown, page),
    blocks: [
      header(titleOf(question, result)),
      richText(...overview(question, result, side)),
      ...page.blocks,
      smallPrint(footer(view, pages.length, number)),
      ...pagingButtons(view, pages.length, number),
    ],
  };
}

function overview(question: Question, result: DiagnosticsResult, side: Side): RichElement[][] {
  const device = deviceLine(result);
  const doubt = countDoubt(question, result);
  return [
    ...(device === '' ? [] : [[words(shorten(device, LONGEST_DEVICE_LINE))]]),
    side === 'hit' ? hitSummary(question, result) : missSummary(result),
    ...(doubt === '' ? [] : [[words(doubt)]]),
  ];
}

function hitSummary(question: Question, result: DiagnosticsResult): RichElement[] {
  const { total, levels } = hitCounts(question, result);
  if (levels !== '') return [words(total, { bold: true }), words(` — ${levels}`)];
  return [words(`✓ ${goodNews(question, result)}`, { bold: true })];
}

/** Zero hits is what the user hoped for, so it says so. */
function goodNews(question: Question, result: DiagnosticsResult): string {
  const misses = result.diagnostics.length || result.stated.misses;
  const passed = misses === undefined ? '' : ` ${counted(misses, 'check')} passed.`;
  return `No known issue hits snapshot ${question.snapshotId}.${passed}`;
}

function missSummary(result: DiagnosticsResult): RichElement[] {
  const passed = sideOf(result, 'miss').length;
  const hits = result.stated.hits ?? (result.diagnostics.length - passed || undefined);
  const others = hits === undefined ? '' : ` — ${counted(hits, 'hit')} not listed here`;
  return [words(`✓ ${counted(passed, 'check')} passed`, { bold: true }), words(others)];
}

function footer({ askedBy, readAt, question }: ResultView, pages: number, number: number): string {
  const parts = [
    ...(pages > 1 ? [`Page ${number + 1} of ${pages}`] : []),
    ...(question.set === 'all' ? [] : [question.set === 'hit' ? 'hits only' : 'passed checks only']),
    `asked by <@${askedBy}>`,
    `read ${slackTime(readAt)}`,
  ];
  return parts.join(' · ');
}

function pagingButtons(view: ResultView, pages: number, number: number): types.KnownBlock[] {
  const value = (page: number) => pageValue({ question: view.question, page, askedBy: view.askedBy });
  const buttons = [
    ...(number > 0 ? [button('◂ Previous', PREVIOUS_ACTION, value(number - 1))] : []),
    ...(number < pages - 1 ? [button('Next ▸', NEXT_ACTION, value(number + 1))] : []),
  ];
  return buttons.length > 0 ? [actions(buttons)] : [];
}

/** The same for notifications, screen readers and the day when Slack refuses the blocks: it stands by itself. */
function resultText({ question, result }: ResultView, shown: readonly Diagnostic[], page: Page): string {
  const lines = shown.slice(page.first, page.first + page.count).map(textLine);
  return shorten([inert(headline(question, result)), ...lines].join('\n'), LIMITS.text);
}

function headline(question: Question, result: DiagnosticsResult): string {
  const title = shorten(titleOf(question, result), LIMITS.header);
  if (question.set === 'miss') return `${title}: ${counted(sideOf(result, 'miss').length, 'check')} passed`;
  const { total, levels } = hitCounts(question, result);
  return levels === '' ? `${title}: ${goodNews(question, result)}` : `${title}: ${total} — ${levels}`;
}

const LONGEST_TEXT_LINE = 150;

function textLine(diagnostic: Diagnostic): string {
  const line = `${levelOf(diagnostic).word} · ${diagnostic.name} · ${diagnostic.title}`;
  return inert(shorten(line, LONGEST_TEXT_LINE));
}
