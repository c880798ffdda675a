import type { types } from '@slack/bolt';
import { richText, words } from '../blocks.ts';
import { weigh } from '../limits.ts';
import { missBlock } from './miss-block.ts';

/** One diagnostic on a page: a hit as blocks, or a line of a list. Items of one section stand below its heading. */
export type Item = { readonly section?: string } & (
  | { readonly blocks: readonly types.KnownBlock[] }
  | { readonly line: types.RichTextSection }
);

/** The items that one message shows: where they begin in the order of all, and how they look. */
export type Page = { readonly first: number; readonly count: number; readonly blocks: types.KnownBlock[] };

/** What fits one page: 5 hits, 25 lines, or some of both. */
const PAGE_SHARES = 25;
const HIT_SHARES = 5;

/** Items in pages of at most this weight; every item is on exactly one. */
export function paginate(items: readonly Item[], room: number): Page[] {
  const packed: { first: number; items: Item[]; shares: number; weight: number }[] = [];
  items.forEach((item, index) => {
    const shares = 'line' in item ? 1 : HIT_SHARES;
    const weight = weigh(item);
    const last = packed.at(-1);
    if (last === undefined || last.shares + shares > PAGE_SHARES || last.weight + weight > room) {
      packed.push({ first: index, items: [item], shares, weight });
    } else {
      last.items.push(item);
      last.shares += shares;
      last.weight += weight;
    }
  });
  return packed.map(({ first, items: packedItems }) => ({
    first,
    count: packedItems.length,
    blocks: draw(packedItems),
  }));
}

function draw(items: readonly Item[]): types.KnownBlock[] {
  const blocks: types.KnownBlock[] = [];
  let section: string | undefined;
  let lines: types.RichTextSection[] | undefined;
  for (const item of items) {
    if (item.section !== section && item.section !== undefined) {
      blocks.push(richText([words(item.section, { bold: true })]));
      lines = undefined;
    }
    section = item.section;
    if ('blocks' in item) {
      blocks.push(...item.blocks);
      lines = undefined;
    } else if (lines === undefined) {
      lines = [item.line];
      blocks.push(missBlock(lines));
    } else {
      lines.push(item.line);
    }
  }
  return blocks;
}
