import type { types } from '@slack/bolt';
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
import type { ShownHit } from '../model/result-model.ts';
import { controls, pagePosition } from './controls.ts';
import { linesOf, PHONE, PHONES, type Phone } from './line-count.ts';
import { messageText } from './message-text.ts';
import { drawPage, type Item, leastLines, pagesOf } from './pages.ts';

/** A message that shows hits in pages: what stands above and below them, and how each is drawn. */
type Paged = {
  readonly state: ViewState;
  readonly title: string;
  /** What the text beside the blocks says after the title. */
  readonly headline: readonly string[];
  readonly overview: readonly RichElement[][];
  /** A sentence below the overview, where the lines of the page hold it; or ''. */
  readonly ifRoom?: string;
  readonly shown: readonly ShownHit[];
  /** One for each of `shown`. */
  readonly items: readonly Item[];
  /** A hit in the text beside the blocks. */
  readonly textLine: (shown: ShownHit) => string;
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
  const { state, title, headline, shown, items, textLine } = paged;
  const pages = pagesOf(items);
  const number = Math.min(state.page, Math.max(pages.length - 1, 0));
  const { first, count } = pages[number] ?? { first: 0, count: 0 };
  const page = items.slice(first, first + count);
  const overview = overviewFor(paged, page);
  const top = [header(title), richText(...overview)];
  const bottom = bottomOf(paged, number, pages.length);
  const room = {
    lines: PHONES.map((phone) => linesLeft(title, overview, phone)),
    weight: LIMITS.messageJson - weigh([top, bottom]),
  };
  const [opening = '', ...rest] = headline;
  const position = pagePosition(number, pages.length).toLowerCase();
  return {
    text: messageText(
      [`${shorten(title, LIMITS.header)}: ${opening}`, ...rest, position],
      shown.slice(first, first + count).map(textLine),
    ),
    blocks: [...top, ...drawPage(page, room), ...bottom],
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

/** What the hits of a page may take, on a phone, below these. */
function linesLeft(
  title: string,
  overview: readonly RichElement[][],
  { line, header: large }: Phone,
): number {
  const texts = overview.map((elements) => elements.map(textOf).join(''));
  const taken = texts.reduce((sum, text) => sum + linesOf(text, line), linesOf(title, large));
  return MOST_LINES - FRAME_LINES - taken;
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
