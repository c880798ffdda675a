import type { types } from '@slack/bolt';
import { oneLine } from '../../core/texts.ts';
import { type RichElement, richText, textIn, words } from '../block-kit/blocks.ts';
import { shorten, weigh } from '../block-kit/limits.ts';
import { linesOf } from './fitting.ts';
import { type HitView, hitBlocks } from './hit-blocks.ts';
import { changeWord, noteOfShown, sectionOf } from './hit-notes.ts';
import { textLine } from './message-text.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import type { ShownHit } from './rows.ts';
import { capital, importanceOf } from './wording.ts';

/** One diagnostic on a page: a hit as blocks, or one that needs no action as a line of a list; `section` stands above them. */
type Item = { readonly section: string } & ({ readonly hit: HitView } | { readonly line: RichElement[] });

/** How the diagnostic that stands there in the list is drawn. */
export function itemOf(listed: ListedHit, index: number, model: ResultModel): Item {
  const { hit, form, accepted } = listed;
  const { view, usualHost } = model;
  const section = sectionOf(listed, model);
  if (form === 'line') return { section, line: lineOf(listed) };
  const note = noteOfShown(listed, model);
  return {
    section,
    hit: { hit, index, view, note, usualHost, accepted },
  };
}

/** The items of one page, within this room: each section below its heading, lines that follow each other in one block. */
export function itemBlocks(
  items: readonly Item[],
  room: { readonly lines: number; readonly weight: number },
) {
  const hits = items.flatMap((item) => ('hit' in item ? [item.hit] : []));
  const list = items.flatMap((item) => ('line' in item ? [item.line] : []));
  const sections = new Set(items.map(({ section }) => section).filter(Boolean));
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
    if (section !== '' && section !== items[at - 1]?.section) {
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

/** A check that passed, or a hit that the later snapshot no longer has or lists. */
function lineOf({ hit, isUncertain }: ShownHit): RichElement[] {
  const isCheck = hit.match === 'miss';
  const level = isCheck ? '' : ` ${shorten(importanceOf(hit), LONGEST_LEVEL)} ·`;
  const title = shorten(oneLine(hit.title), isCheck ? LONGEST_TITLE.check : LONGEST_TITLE.cleared);
  const id = words(shorten(hit.name, LONGEST_NAME), { code: true });
  return [words(`${isUncertain ? '?' : '✓'}${level} ${title} `), id];
}

/** A diagnostic in the text beside the blocks. */
export function textOf(shown: ShownHit): string {
  const change = changeWord(shown);
  const start = change === '' ? '' : `${capital(change)}: `;
  return `${start}${textLine(shown.hit, shown.accepted)}`;
}
