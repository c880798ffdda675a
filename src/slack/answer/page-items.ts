import type { types } from '@slack/bolt';
import { oneLine } from '../../core/texts.ts';
import { type RichElement, richText, words } from '../block-kit/blocks.ts';
import { shorten, weigh } from '../block-kit/limits.ts';
import { brief, linesOf, NARROW_PHONE, type Phone, textLine } from './fitting.ts';
import { type HitView, hitBlocks, linesNeeded, type Room } from './hit-blocks.ts';
import { acceptedLine, changeWord, noteOfShown, sectionOf } from './hit-notes.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import { foundOf, type ShownHit } from './rows.ts';
import { capital, importanceOf } from './wording.ts';

/** One diagnostic on a page: a hit as blocks, or one that needs no action as a line of a list; `section` stands above them. */
type Item = { readonly section: string } & ({ readonly hit: HitView } | { readonly line: string });

/** How the diagnostic that stands there in the list is drawn. */
export function itemOf(listed: ListedHit, index: number, model: ResultModel): Item {
  const { hit, form, accepted } = listed;
  const { view, usualHost } = model;
  const section = sectionOf(listed, model);
  if (form === 'line') return { section, line: lineOf(listed) };
  const note = noteOfShown(listed, model);
  return {
    section,
    hit: {
      hit,
      index,
      view,
      note,
      usualHost,
      accepted: accepted && acceptedLine(accepted),
      found: foundOf(listed, model.units),
    },
  };
}

/** The items of one page, within this room: each section below its heading, lines that follow each other in one block. */
export function itemBlocks(items: readonly Item[], { lines, weight, phone }: Room): types.KnownBlock[] {
  const hits = hitsIn(items);
  const sections = [...new Set(items.map(({ section }) => section).filter(Boolean))];
  const left = lines - sections.reduce((sum, section) => sum + linesOf(section, phone.bold), 0);
  const texts = items.flatMap((item) => ('line' in item ? [item.line] : []));
  const list = titlesIn(left - hits.length * HIT_LINES, texts);
  const height = list.reduce((sum, text) => sum + linesOf(text, NARROW_PHONE.line), 0);
  const room = {
    phone,
    lines: left - height,
    weight: weight - weigh([...list.map((text) => words(text)), ...sections]),
  };
  return assembled(items, hitBlocks(hits, room).values(), list.values());
}

function hitsIn(items: readonly Item[]): HitView[] {
  return items.flatMap((item) => ('hit' in item ? [item.hit] : []));
}

/** Whether so many lines hold all of what to do about the critical hits. */
export function isRoomFor(items: readonly Item[], lines: number, phone: Phone): boolean {
  return linesNeeded(hitsIn(items), phone) <= lines;
}

/** What a hit takes: two lines of its title, two of what to do, and its buttons. */
const HIT_LINES = 5;
/** Lines of a title in a list. */
const LIST_LINES = 2;

/** Each text in one line, and in a second one where it needs that, as far as there are so many lines. */
function titlesIn(lines: number, texts: readonly string[]): string[] {
  let spare = Math.max(lines - texts.length, 0);
  return texts.map((text) => {
    const title = brief(text, Math.min(LIST_LINES, spare + 1), NARROW_PHONE.line);
    spare -= linesOf(title, NARROW_PHONE.line) - 1;
    return title;
  });
}

function assembled(
  items: readonly Item[],
  hits: Iterator<types.KnownBlock[]>,
  titles: Iterator<string>,
): types.KnownBlock[] {
  const blocks: types.KnownBlock[] = [];
  let list: RichElement[][] = [];
  const endList = () => {
    if (list.length > 0) blocks.push(richText(...list));
    list = [];
  };
  for (const [at, item] of items.entries()) {
    const { section } = item;
    if (section !== '' && section !== items[at - 1]?.section) {
      endList();
      blocks.push(richText([words(section, { bold: true })]));
    }
    if ('line' in item) list.push([words(titles.next().value ?? '')]);
    else {
      endList();
      blocks.push(...(hits.next().value ?? []));
    }
  }
  endList();
  return blocks;
}

/** A level in words of its own leaves room for a title. */
const LONGEST_LEVEL = 16;

/** A check that passed, or a hit that the later snapshot no longer has or lists: its id would take the room of its title. */
function lineOf({ hit, isUncertain }: ShownHit): string {
  const level = hit.match === 'miss' ? '' : ` ${shorten(importanceOf(hit), LONGEST_LEVEL)} ·`;
  return `${isUncertain ? '?' : '✓'}${level} ${oneLine(hit.title) || hit.name}`;
}

/** A diagnostic in the text beside the blocks. */
export function textOf(shown: ShownHit): string {
  const change = changeWord(shown);
  const start = change === '' ? '' : `${capital(change)}: `;
  return `${start}${textLine(shown.hit, shown.accepted)}`;
}
