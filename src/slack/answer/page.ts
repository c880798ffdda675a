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

/** One diagnostic on a page: a hit as blocks, or one line of a list. Items of one section stand below its heading. */
export type Item = { readonly section?: string } & ({ readonly hit: HitView } | { readonly line: LineOf });

/** A diagnostic that needs no action, as a line of a list; `isBare` where Slack would refuse the page for its size. */
type LineOf = (isBare: boolean) => RichElement[];

/** A message that shows hits in pages: what stands above and below them, and how each is drawn. */
type Paged = {
  readonly state: ViewState;
  readonly title: string;
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
  readonly menus: readonly (types.Button | types.StaticSelect | types.Overflow | undefined)[];
};

/** Lines of a phone that a page takes: the first one fits its screen, who turns to another one scrolls. */
const LINES = { first: 26, later: 34 };
/** The bot's name, a line of small print, and the row of controls. */
const FRAME_LINES = 3;

/** The page that the state names, or else the last one; each page is within Slack's limits. */
export function pagedMessage(paged: Paged): Message {
  const { state, title, headline, listed, pages, itemOf, textOf } = paged;
  const number = Math.min(state.page, Math.max(pages.length - 1, 0));
  const page = pages[number] ?? { first: 0, count: 0 };
  const shown = listed.slice(page.first, page.first + page.count);
  const position = pages.length > 1 ? positionOf(paged, page) : '';
  const { top, lines } = topOf(paged, number === 0);
  const bottom = [
    smallPrint([position, ...paged.footer].filter((part) => part !== '').join(' · ')),
    controls(paged, number),
  ];
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
  { title, overview, news }: Paged,
  isFirst: boolean,
): { top: types.KnownBlock[]; lines: number } {
  const name = [words(shorten(title, LIMITS.header), { bold: true })];
  const paragraphs = isFirst ? [...overview, ...news] : [name, ...news];
  const body = paragraphs.length === 0 ? [] : [richText(...paragraphs)];
  const taken = paragraphs.reduce((sum, paragraph) => sum + heightOf(paragraph), FRAME_LINES);
  return isFirst
    ? { top: [header(title), ...body], lines: LINES.first - taken - linesOf(title, PHONE.header) }
    : { top: body, lines: LINES.later - taken };
}

function heightOf(paragraph: readonly RichElement[]): number {
  return linesOf(paragraph.map(textIn).join(''), paragraph.some(isBold) ? PHONE.bold : PHONE.line);
}

function isBold(element: RichElement): boolean {
  return element.type === 'text' && element.style?.bold === true;
}

function textIn(element: RichElement): string {
  if ('text' in element) return element.text ?? '';
  return 'fallback' in element ? (element.fallback ?? '') : '';
}

/** `Hits 4–8 of 37` */
function positionOf({ noun, listed }: Paged, { first, count: size }: Page): string {
  const range = size === 1 ? count(first + 1) : `${count(first + 1)}–${count(first + size)}`;
  return `${noun} ${range} of ${count(listed.length)}`;
}

/** One row: pages, what is shown, and everything else. Its id carries what the message shows. */
function controls(paged: Paged, number: number): types.ActionsBlock {
  const { state, menus, listed, pages } = paged;
  const [before, next] = [pages[number - 1], pages[number + 1]];
  const left = next === undefined ? '' : `${count(listed.length - next.first)} more`;
  const spoken = (page: Page) => positionOf(paged, page).toLowerCase();
  return {
    type: 'actions',
    block_id: stateValue({ ...state, page: number }),
    elements: [
      ...(before === undefined ? [] : [button('◂', PREVIOUS_ACTION, undefined, `Back: ${spoken(before)}`)]),
      ...(next === undefined
        ? []
        : [button(`${left} ▸`, NEXT_ACTION, undefined, `${left}: ${spoken(next)}`)]),
      ...menus.filter((menu) => menu !== undefined),
    ],
  };
}

/** The items of one page, within this room: each section below its heading, lines that follow each other in one block. */
function listOf(items: readonly Item[], room: { readonly lines: number; readonly weight: number }) {
  const hits = items.flatMap((item) => ('hit' in item ? [item.hit] : []));
  const listed = items.flatMap((item) => ('line' in item ? [item.line] : []));
  const sections = new Set(items.flatMap(({ section }) => section ?? []));
  const full = listed.map((line) => line(false));
  // Lists leave half of the room to the hits of the page.
  const isBare = weigh(full) > (hits.length === 0 ? room.weight : room.weight / 2);
  const ready = isBare ? listed.map((line) => line(true)) : full;
  const height = ready.reduce((sum, elements) => sum + linesOf(elements.map(textIn).join('')), sections.size);
  const weight = room.weight - weigh([...ready, ...sections]);
  const drawn = hitBlocks(hits, { lines: room.lines - height, weight }).values();
  return assembled(items, ready.values(), drawn);
}

function assembled(
  items: readonly Item[],
  lines: Iterator<RichElement[]>,
  hits: Iterator<types.KnownBlock[]>,
): types.KnownBlock[] {
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
    if ('line' in item) list.push(lines.next().value ?? []);
    else {
      endList();
      blocks.push(...(hits.next().value ?? []));
    }
  }
  endList();
  return blocks;
}

const LINE_LINES = 2;
const BARE_TITLE = 30;
const LONGEST_LEVEL = 40;
const LONGEST_NAME = 60;

/** A check that passed. It is named after the issue that it looks for, so the line itself says that there is none. */
export function passedLine(check: Diagnostic): LineOf {
  return lineOf('✓ Not found:', check);
}

/** A hit that the later snapshot no longer has, or no longer lists. */
export function clearedLine({ hit, isUncertain }: ShownHit): LineOf {
  return lineOf(`${isUncertain ? '?' : '✓'} ${shorten(importanceOf(hit), LONGEST_LEVEL)} ·`, hit);
}

/** The title is cut where the whole line would be longer than two lines of a phone. */
function lineOf(start: string, { name, title }: Diagnostic): LineOf {
  const id = shorten(name, LONGEST_NAME);
  const most = Math.max(LINE_LINES * PHONE.line - start.length - id.length - 4, BARE_TITLE);
  return (isBare) => {
    const shown = shorten(oneLine(title), isBare ? BARE_TITLE : most);
    return [words(`${start} ${shown} `), words(id, { code: true })];
  };
}
