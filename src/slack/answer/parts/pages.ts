import type { types } from '@slack/bolt';
import { richText, words } from '../../block-kit/blocks.ts';
import { weigh } from '../../block-kit/limits.ts';
import { hitBlocks, leastLinesOf, type Room } from './hit-blocks.ts';
import type { HitView } from './hit-draft.ts';
import { type Line, type LineOf, lineBlock } from './line-block.ts';
import { linesOf, PHONES } from './line-count.ts';

/** One diagnostic on a page: a hit as blocks, or a line of a list. Items of one section stand below its heading. */
export type Item = { readonly section?: string } & ({ readonly hit: HitView } | { readonly line: LineOf });

/** How many lines of the usual phone these items take at least. */
export function leastLines(items: readonly Item[]): number {
  const lines = items.reduce((sum, item) => sum + ('line' in item ? linesOf(item.line('full').text) : 0), 0);
  return leastLinesOf(hitsOf(items)) + lines + sectionsOf(items).size;
}

/** The items of one page, within this room. */
export function drawPage(items: readonly Item[], room: Room): types.KnownBlock[] {
  const sections = sectionsOf(items);
  const lines = linesIn(items, room.weight - weigh([...sections]));
  const left = PHONES.map(
    ({ line }, at) =>
      (room.lines[at] ?? 0) - lines.reduce((sum, { text }) => sum + linesOf(text, line), sections.size),
  );
  const weight = room.weight - weigh(lines) - weigh([...sections]);
  const blocks = hitBlocks(hitsOf(items), { lines: left, weight });
  return assembled(items, lines, blocks);
}

function hitsOf(items: readonly Item[]): HitView[] {
  return items.flatMap((item) => ('hit' in item ? [item.hit] : []));
}

/** Lists leave half of the room to the hits of the page. */
function linesIn(items: readonly Item[], room: number): Line[] {
  const each = items.flatMap((item) => ('line' in item ? [item.line] : []));
  const full = each.map((line) => line('full'));
  const most = each.length === items.length ? room : room / 2;
  return weigh(full) <= most ? full : each.map((line) => line('bare'));
}

function sectionsOf(items: readonly Item[]): Set<string> {
  return new Set(items.flatMap(({ section }) => section ?? []));
}

/** The drawn hits and the lists of lines, each section below its heading. */
function assembled(
  items: readonly Item[],
  ready: readonly Line[],
  hits: readonly types.KnownBlock[][],
): types.KnownBlock[] {
  const found: types.KnownBlock[] = [];
  const drawn = hits.values();
  const next = ready.values();
  let section: string | undefined;
  let lines: Line[] = [];
  const flush = () => {
    if (lines.length > 0) found.push(lineBlock(lines));
    lines = [];
  };
  for (const item of items) {
    if (item.section !== section && item.section !== undefined) {
      flush();
      found.push(richText([words(item.section, { bold: true })]));
    }
    section = item.section;
    if ('line' in item) {
      const line = next.next().value;
      if (line !== undefined) lines.push(line);
    } else {
      flush();
      found.push(...(drawn.next().value ?? []));
    }
  }
  flush();
  return found;
}
