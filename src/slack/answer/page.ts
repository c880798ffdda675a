import type { types } from '@slack/bolt';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import type { Asked } from '../../core/lookup.ts';
import { stateValue, type ViewState } from '../blocks/action-values.ts';
import { button, header, type Message, richText, smallPrint, words } from '../blocks/blocks.ts';
import { LIMITS, shorten, weigh } from '../blocks/limits.ts';
import {
  heightOf,
  type Line,
  linesOf,
  messageText,
  NARROW_PHONE,
  PHONE,
  type Phone,
  textLine,
} from './fitting.ts';
import { sectionBlocks, sectionsOf } from './hit-blocks.ts';
import { changeWord } from './hit-notes.ts';
import { linesNeeded } from './laid-hit.ts';
import type { ResultModel } from './result-model.ts';
import type { ShownHit } from './rows.ts';
import { capital, count, joined, titleOf } from './wording.ts';

export const PREVIOUS_ACTION = 'page-previous';
export const NEXT_ACTION = 'page-next';

/** A message that shows the hits of a model in pages: what stands above and below them. */
type Paged = {
  readonly state: ViewState;
  /** Absent while there is no result. */
  readonly model: ResultModel | undefined;
  /** The head of the first page, below the title. */
  readonly lines: readonly Line[];
  /** What changed since the message was made, on any page. */
  readonly news: readonly Line[];
  /** Small print after the page's position, in mrkdwn: our own words, ids and times. */
  readonly footer: readonly string[];
  readonly menus: readonly (Control | undefined)[];
  readonly isWindow?: boolean | undefined;
};
type Control = types.Button | types.StaticSelect | types.Overflow;
type ControlRow = Omit<types.ActionsBlock, 'elements'> & { readonly elements: Control[] };

/**
 * Lines of a phone that a page takes. The first one fits its screen, and what a narrower one breaks has room there; who
 * turns to another page scrolls, and reads it without such a break. `frame`: the bot's name, who is on it (which is added
 * once somebody is, and takes two lines of a narrow phone), small print, and the row of controls. A window has a title of
 * its own, and scrolls below it.
 */
const SHAPES = {
  first: { phone: PHONE, lines: 26, frame: 4 },
  later: { phone: NARROW_PHONE, lines: 34, frame: 6 },
  window: { phone: NARROW_PHONE, lines: 44, frame: 2 },
};
/** A second row of controls is higher than a line. */
const SECOND_ROW_LINES = 2;
/** What a control takes of its row beside its label. */
const FRAMES = { button: 5, static_select: 9, overflow: 6 } as const;
/** "Hand over…" takes the most room of what is added to the row. */
const ON_IT = 15;

/** The page that the state names, or else the last one; each page is within Slack's limits. */
export function pagedMessage(paged: Paged): Message {
  const { state, model, lines, news } = paged;
  const { listed = [], pages = [] } = model ?? {};
  const number = Math.min(state.page, Math.max(pages.length - 1, 0));
  const page = pages[number] ?? { first: 0, count: 0 };
  const position = model === undefined || pages.length < 2 ? '' : positionOf(model, page);
  const row = controls(paged, number);
  const shape = SHAPES[paged.isWindow ? 'window' : number === 0 ? 'first' : 'later'];
  const { phone } = shape;
  const shown = listed.slice(page.first, page.first + page.count);
  const sections = model === undefined ? [] : sectionsOf(shown, page.first, model, phone);
  const hits = sections.flatMap((section) => section.hits);
  const most = shape.lines - shape.frame - (isInTwoRows(row, phone) ? SECOND_ROW_LINES : 0);
  const head = headOf(paged, number === 0, phone, most - linesNeeded(hits));
  const bottom = [smallPrint(joined(' · ', position, ...paged.footer)), row];
  const weight = LIMITS.messageJson - weigh([head.top, bottom]);
  const [opening = '', ...rest] = [...lines, ...news]
    .map(({ text, beside = text }) => beside)
    .filter(Boolean);
  const title = shorten(titleOf(state, model?.answers.result), LIMITS.header);
  const start = `${title}: ${opening}`;
  return {
    text: messageText([start, ...rest, position.toLowerCase()], shown.map(textOf)),
    blocks: [...head.top, ...sectionBlocks(sections, phone, most - head.lines, weight), ...bottom],
  };
}

/** The head of a page, in at most so many lines as far as some can be shortened, the last ones first. */
function headOf({ state, model, lines, news }: Paged, isFirst: boolean, phone: Phone, most: number) {
  const result = model?.answers.result;
  const above = headerOf(state, result);
  const name: Line = { text: shorten(titleOf(state, result), LIMITS.header), isBold: true };
  const said = [...(isFirst ? lines : [name]), ...news].filter(({ text }) => text !== '');
  const paragraphs = said.map(
    ({ text, rich, isBold }) => rich ?? [words(text, isBold ? { bold: true } : undefined)],
  );
  const heights = paragraphs.map((paragraph) => heightOf(paragraph, phone));
  let height = heights.reduce((sum, each) => sum + each, isFirst ? linesOf(above, phone.header) : 0);
  for (const [at, { short }] of [...said.entries()].reverse()) {
    const saved = short === undefined ? 0 : (heights[at] ?? 0) - heightOf(short, phone);
    if (short === undefined || saved <= 0 || height <= most) continue;
    paragraphs[at] = short;
    height -= saved;
  }
  const body = paragraphs.length === 0 ? [] : [richText(...paragraphs)];
  return { top: isFirst ? [header(above), ...body] : body, lines: height };
}

/** `Hits 4–8 of 37` */
function positionOf(model: ResultModel, { first, count: size }: ResultModel['pages'][number]): string {
  const range = size === 1 ? count(first + 1) : `${count(first + 1)}–${count(first + size)}`;
  return `${capital(thingsOf(model, size))} ${range} of ${count(model.listed.length)}`;
}

/** What so many in the list are; hits only where the list has nothing else. */
function thingsOf({ about, noun, view }: ResultModel, size: number): string {
  if (about === 'search' && noun === 'hit') return 'found';
  const thing = about !== 'changes' ? noun : view.show === 'unchanged' ? 'unchanged hit' : 'change';
  return `${thing}${size === 1 ? '' : 's'}`;
}

/** Whether a phone breaks these controls, with what says who is on it. */
function isInTwoRows({ elements }: ControlRow, { row }: Phone): boolean {
  const widths = elements.map((element) => FRAMES[element.type] + labelOf(element).length);
  return widths.reduce((sum, width) => sum + width, ON_IT) > row;
}

function labelOf(element: Control): string {
  if (element.type === 'overflow') return '';
  return (element.type === 'button' ? element.text : element.placeholder)?.text ?? '';
}

/** One row: pages, what is shown, and everything else. Its id carries what the message shows. */
function controls({ state, menus, model }: Paged, number: number): ControlRow {
  const { listed = [], pages = [] } = model ?? {};
  const [before, next] = [pages[number - 1], pages[number + 1]];
  const left = `${count(listed.length - (next?.first ?? 0))} more`;
  const spoken = (from: number, to: number) =>
    `${model && thingsOf(model, to - from)} ${count(from + 1)}${to - from > 1 ? ` to ${count(to)}` : ''}`;
  const back = before && spoken(before.first, before.first + before.count);
  const elements = [
    before && button('◂', PREVIOUS_ACTION, undefined, `Back: ${back}`),
    next && button(`${left} ▸`, NEXT_ACTION, undefined, `${left}: ${spoken(next.first, listed.length)}`),
    ...menus,
  ].filter((element) => element !== undefined);
  return { type: 'actions', block_id: stateValue({ ...state, page: number }), elements };
}

/** So many snapshots have no room in a header. */
const MANY = 5;

/** The same above a first page. */
function headerOf(asked: Asked, result?: DiagnosticsResult): string {
  const { question, others = [] } = asked;
  if (others.length + 1 < MANY) return titleOf(asked, result);
  return `Snapshots ${question.snapshotId} and ${count(others.length)} others`;
}

/** A diagnostic in the text beside the blocks. */
function textOf(shown: ShownHit): string {
  const change = changeWord(shown);
  const start = change === '' ? '' : `${capital(change)}: `;
  return `${start}${textLine(shown.hit, shown.accepted)}`;
}
