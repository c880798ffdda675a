import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { oneLine } from '../../core/texts.ts';
import { stateValue, type ViewState } from '../block-kit/action-values.ts';
import {
  button,
  header,
  type Message,
  type RichElement,
  richText,
  smallPrint,
  textIn,
  words,
} from '../block-kit/blocks.ts';
import { LIMITS, shorten, weigh } from '../block-kit/limits.ts';
import { linesOf, PHONE } from './fitting.ts';
import { type HitView, hitBlocks } from './hit-blocks.ts';
import { messageText } from './message-text.ts';
import type { ListedHit, Page, ShownHit } from './result-model.ts';
import { count, importanceOf } from './wording.ts';

export const PREVIOUS_ACTION = 'page-previous';
export const NEXT_ACTION = 'page-next';

/**
 * One diagnostic on a page: a hit as blocks, or one that needs no action as a line of a list. Items of one section stand
 * below its heading.
 */
export type Item = { readonly section?: string } & (
  | { readonly hit: HitView }
  | { readonly line: RichElement[] }
);

/** A message that shows hits in pages: what stands above and below them, and how each is drawn. */
type Paged = {
  readonly state: ViewState;
  readonly title: string;
  /** The same above the first page, where that is shorter. */
  readonly header?: string;
  /** What the text beside the blocks says after the title. */
  readonly headline: readonly string[];
  /** The head of the first page, below the title. */
  readonly overview: readonly RichElement[][];
  /** What changed since the message was made, on any page. */
  readonly news: readonly RichElement[][];
  /** What the list is of, as its position calls it: `Hits`. */
  readonly noun: string;
  /** Everything that the model lists, on all its pages. */
  readonly listed: readonly ListedHit[];
  readonly pages: readonly Page[];
  readonly itemOf: (listed: ListedHit, index: number) => Item;
  /** A diagnostic in the text beside the blocks. */
  readonly textOf: (listed: ListedHit) => string;
  /** Small print after the page's position, in mrkdwn: our own words, ids and times. */
  readonly footer: readonly string[];
  readonly menus: readonly (Control | undefined)[];
};
type Control = types.Button | types.StaticSelect | types.Overflow;
type ControlRow = Omit<types.ActionsBlock, 'elements'> & { readonly elements: Control[] };

/** Lines of a phone that a page takes: the first one fits its screen, who turns to another one scrolls. */
const LINES = { first: 26, later: 34 };
/** The bot's name, who is on it (which is added once somebody is), a line of small print, and the row of controls. */
const FRAME_LINES = 4;
/** A second row of controls is higher than a line. */
const SECOND_ROW_LINES = 2;
/** What a row holds, in characters of a button: each control has its label and a frame. */
const ROW = 52;
const FRAMES = { button: 5, static_select: 9, overflow: 6 } as const;
/** "Hand over…" takes the most room of what is added to the row. */
const ON_IT = 15;

/** The page that the state names, or else the last one; each page is within Slack's limits. */
export function pagedMessage(paged: Paged): Message {
  const { state, title, headline, listed, pages, itemOf, textOf } = paged;
  const number = Math.min(state.page, Math.max(pages.length - 1, 0));
  const page = pages[number] ?? { first: 0, count: 0 };
  const shown = listed.slice(page.first, page.first + page.count);
  const position = pages.length > 1 ? positionOf(paged, page) : '';
  const row = controls(paged, number);
  const { top, lines } = topOf(paged, number === 0, isInTwoRows(row) ? SECOND_ROW_LINES : 0);
  const bottom = [smallPrint([position, ...paged.footer].filter((part) => part !== '').join(' · ')), row];
  const weight = LIMITS.messageJson - weigh([top, bottom]);
  const items = shown.map((each, at) => itemOf(each, page.first + at));
  const [opening = '', ...rest] = headline;
  const start = `${shorten(title, LIMITS.header)}: ${opening}`;
  return {
    text: messageText([start, ...rest, position.toLowerCase()], shown.map(textOf)),
    blocks: [...top, ...listOf(items, { lines, weight }), ...bottom],
  };
}

/** What stands above the hits of a page, and how many lines it leaves to them. */
function topOf(
  { title, header: above = title, overview, news }: Paged,
  isFirst: boolean,
  reserved: number,
): { top: types.KnownBlock[]; lines: number } {
  const name = [words(shorten(title, LIMITS.header), { bold: true })];
  const paragraphs = isFirst ? [...overview, ...news] : [name, ...news];
  const body = paragraphs.length === 0 ? [] : [richText(...paragraphs)];
  const taken = paragraphs.reduce((sum, paragraph) => sum + heightOf(paragraph), FRAME_LINES + reserved);
  return isFirst
    ? { top: [header(above), ...body], lines: LINES.first - taken - linesOf(above, PHONE.header) }
    : { top: body, lines: LINES.later - taken };
}

function heightOf(paragraph: readonly RichElement[]): number {
  return linesOf(paragraph.map(textIn).join(''), paragraph.some(isBold) ? PHONE.bold : PHONE.line);
}

function isBold(element: RichElement): boolean {
  return element.type === 'text' && element.style?.bold === true;
}

/** `Hits 4–8 of 37` */
function positionOf({ noun, listed }: Paged, { first, count: size }: Page): string {
  const range = size === 1 ? count(first + 1) : `${count(first + 1)}–${count(first + size)}`;
  return `${noun} ${range} of ${count(listed.length)}`;
}

/** Whether a phone breaks these controls, with what says who is on it. */
function isInTwoRows({ elements }: ControlRow): boolean {
  const widths = elements.map((element) => FRAMES[element.type] + labelOf(element).length);
  return widths.reduce((sum, width) => sum + width, ON_IT) > ROW;
}

function labelOf(element: Control): string {
  if (element.type === 'overflow') return '';
  return (element.type === 'button' ? element.text : element.placeholder)?.text ?? '';
}

/** One row: pages, what is shown, and everything else. Its id carries what the message shows. */
function controls(paged: Paged, number: number): ControlRow {
  const { state, menus, noun, listed, pages } = paged;
  const [before, next] = [pages[number - 1], pages[number + 1]];
  const left = next === undefined ? '' : `${count(listed.length - next.first)} more`;
  const spoken = (from: number, to: number) =>
    `${noun.toLowerCase()} ${count(from + 1)}${to - from > 1 ? ` to ${count(to)}` : ''}`;
  return {
    type: 'actions',
    block_id: stateValue({ ...state, page: number }),
    elements: [
      ...(before === undefined
        ? []
        : [
            button(
              '◂',
              PREVIOUS_ACTION,
              undefined,
              `Back: ${spoken(before.first, before.first + before.count)}`,
            ),
          ]),
      ...(next === undefined
        ? []
        : [button(`${left} ▸`, NEXT_ACTION, undefined, `${left}: ${spoken(next.first, listed.length)}`)]),
      ...menus.filter((menu) => menu !== undefined),
    ],
  };
}

/** The items of one page, within this room: each section below its heading, lines that follow each other in one block. */
function listOf(items: readonly Item[], room: { readonly lines: number; readonly weight: number }) {
  const hits = items.flatMap((item) => ('hit' in item ? [item.hit] : []));
  const list = items.flatMap((item) => ('line' in item ? [item.line] : []));
  const sections = new Set(items.flatMap(({ section }) => section ?? []));
  const height = list.reduce((sum, elements) => sum + linesOf(elements.map(textIn).join('')), sections.size);
  const weight = room.weight - weigh([...list, ...sections]);
  return assembled(items, hitBlocks(hits, { lines: room.lines - height, weight }).values());
}

function assembled(items: readonly Item[], hits: Iterator<types.KnownBlock[]>): types.KnownBlock[] {
  const blocks: types.KnownBlock[] = [];
  let list: RichElement[][] = [];
  const endList = () => {
    if (list.length > 0) blocks.push(richText(...list));
    list = [];
  };
  for (const [at, item] of items.entries()) {
    const { section } = item;
    if (section !== undefined && section !== items[at - 1]?.section) {
      endList();
      blocks.push(richText([words(section, { bold: true })]));
    }
    if ('line' in item) list.push(item.line);
    else {
      endList();
      blocks.push(...(hits.next().value ?? []));
    }
  }
  endList();
  return blocks;
}

const LONGEST_LEVEL = 40;
const LONGEST_NAME = 60;
/** Characters of a title: a passed check is one line of a phone, a cleared hit two. */
const LONGEST_TITLE = { check: 22, cleared: 30 };

/**
 * A check that passed is named after the issue that it looks for: the heading above such lines says that there is none.
 * `where` ends the heading.
 */
export function passedItem(check: Diagnostic, where: string): Item {
  return {
    section: `✓ Checked, not a hit ${where}`,
    line: lineOf('✓', check, LONGEST_TITLE.check),
  };
}

/** A hit that the later snapshot no longer has, or no longer lists. */
export function clearedLine({ hit, isUncertain }: ShownHit): RichElement[] {
  const level = shorten(importanceOf(hit), LONGEST_LEVEL);
  return lineOf(`${isUncertain ? '?' : '✓'} ${level} ·`, hit, LONGEST_TITLE.cleared);
}

function lineOf(start: string, { name, title }: Diagnostic, longest: number): RichElement[] {
  const id = words(shorten(name, LONGEST_NAME), { code: true });
  return [words(`${start} ${shorten(oneLine(title), longest)} `), id];
}
