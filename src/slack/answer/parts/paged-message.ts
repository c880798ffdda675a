import type { types } from '@slack/bolt';
import { Latest } from '../../../core/latest.ts';
import type { ViewState } from '../../block-kit/action-values.ts';
import {
  header,
  type Message,
  type RichElement,
  richText,
  smallPrint,
  words,
} from '../../block-kit/blocks.ts';
import { LIMITS, shorten, weigh } from '../../block-kit/limits.ts';
import type { Page } from '../model/result-pages.ts';
import { controls, pagePosition } from './controls.ts';
import { linesOf, PHONE, PHONES, type Phone } from './line-count.ts';
import { messageText } from './message-text.ts';
import { drawPage, type Item, leastLines } from './pages.ts';

/** A message that shows hits in pages: what stands above and below them, and how each is drawn. */
export type Paged = {
  readonly state: ViewState;
  readonly title: string;
  /** What the text beside the blocks says after the title. */
  readonly headline: readonly string[];
  readonly overview: readonly RichElement[][];
  /** A sentence below the overview, where the lines of the page hold it; or ''. */
  readonly ifRoom?: string;
  /** Everything that the model lists, on all its pages. */
  readonly items: readonly Item[];
  readonly pages: readonly Page[];
  /** Each item in the text beside the blocks. */
  readonly textLines: readonly string[];
  /** Small print after the page's number, in mrkdwn: our own words, ids and times. */
  readonly footer: readonly string[];
  readonly menus: readonly (types.Button | types.StaticSelect | types.Overflow | undefined)[];
};

/** What a page of hits may take on a phone, from the bot’s name to the last button. */
const MOST_LINES = 40;
/** The bot's name, a line of small print, and the row of controls. */
const FRAME_LINES = 3;

/** The page that the state names, or else the last one; each page is within Slack's limits. */
export function pagedMessage(paged: Paged): Message {
  const { state, items, pages } = paged;
  const number = Math.min(state.page, Math.max(pages.length - 1, 0));
  const { first, count } = pages[number] ?? { first: 0, count: 0 };
  const bottom = bottomOf(paged, number, pages.length);
  const weight = LIMITS.messageJson - weigh(bottom);
  const wanted = { first, count, position: pagePosition(number, pages.length).toLowerCase(), weight };
  const { text, blocks } = latestPages.of(items, JSON.stringify(wanted), () => drawnPage(paged, wanted));
  return { text, blocks: [...blocks, ...bottom] };
}

/** Which items a page has, and how much of what Slack takes is left for what stands above its controls. */
type DrawnPage = {
  readonly first: number;
  readonly count: number;
  readonly position: string;
  readonly weight: number;
};

/** Keyed by the items: where anything else in the message differs, the items are other objects. */
const latestPages = new Latest<readonly Item[], Message>();

/** A page without its controls: the same for everybody to whom the same items are shown. */
function drawnPage(paged: Paged, { first, count, position, weight }: DrawnPage): Message {
  const { title, headline, items, textLines } = paged;
  const page = items.slice(first, first + count);
  const overview = overviewFor(paged, page);
  const top = [header(title), richText(...overview)];
  const room = {
    lines: PHONES.map((phone) => linesLeft(title, overview, phone)),
    weight: weight - weigh(top),
  };
  const [opening = '', ...rest] = headline;
  return {
    text: messageText(
      [`${shorten(title, LIMITS.header)}: ${opening}`, ...rest, position],
      textLines.slice(first, first + count),
    ),
    blocks: [...top, ...drawPage(page, room)],
  };
}

/** The overview, and what else there is to say where the hits leave room for it. */
function overviewFor(
  { title, overview, ifRoom = '' }: Paged,
  page: readonly Item[],
): readonly RichElement[][] {
  const longer = [...overview, [words(ifRoom)]];
  return ifRoom !== '' && linesLeft(title, longer, PHONE) >= leastLines(page) ? longer : overview;
}

/** How many lines of a phone the hits of a page may take below these texts. */
function linesLeft(
  title: string,
  overview: readonly RichElement[][],
  { line, bold, header: large }: Phone,
): number {
  const linesIn = (elements: readonly RichElement[]) =>
    linesOf(elements.map(textOf).join(''), elements.some(isBold) ? bold : line);
  const taken = overview.reduce((sum, elements) => sum + linesIn(elements), linesOf(title, large));
  return MOST_LINES - FRAME_LINES - taken;
}

function isBold(element: RichElement): boolean {
  return element.type === 'text' && element.style?.bold === true;
}

function textOf(element: RichElement): string {
  if ('text' in element) return element.text ?? '';
  return 'fallback' in element ? (element.fallback ?? '') : '';
}

/** What stands below the hits of a page; `number` counts from 0. */
function bottomOf({ state, footer, menus }: Paged, number: number, pages: number): types.KnownBlock[] {
  const position = pagePosition(number, pages);
  return [
    smallPrint([...(position === '' ? [] : [position]), ...footer].join(' · ')),
    controls({ state, number, pages, menus }),
  ];
}
