import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { Question } from '../../core/lookup.ts';
import { LIMITS, weigh } from '../limits.ts';
import { hitBlocks } from './hit-blocks.ts';
import { missBlock, missLine } from './miss-block.ts';

/** The diagnostics that one message shows: where they begin in the result's order, and how they look. */
export type Page = { readonly first: number; readonly count: number; readonly blocks: types.KnownBlock[] };

const HITS_A_PAGE = 5;
const MISSES_A_PAGE = 25;

/** What the rest of a result message may weigh: title, device, counts, small print, paging buttons. */
const FRAME_WEIGHT = 4_200;
const PAGE_WEIGHT = LIMITS.messageJson - FRAME_WEIGHT;

/** Hits in pages that fit a message; every hit is on exactly one. */
export function hitPages(hits: readonly Diagnostic[], question: Question): Page[] {
  return pack(
    hits.map((hit, index) => hitBlocks(hit, index, question)),
    HITS_A_PAGE,
  ).map(({ first, items }) => ({ first, count: items.length, blocks: items.flat() }));
}

/** What was checked and is fine, one line each, in pages that fit a message. */
export function missPages(misses: readonly Diagnostic[]): Page[] {
  return pack(misses.map(missLine), MISSES_A_PAGE).map(({ first, items }) => ({
    first,
    count: items.length,
    blocks: [missBlock(items)],
  }));
}

function pack<T>(items: readonly T[], most: number): { first: number; items: T[] }[] {
  const packed: { first: number; items: T[] }[] = [];
  let size = Number.POSITIVE_INFINITY;
  items.forEach((item, index) => {
    const itemSize = weigh(item);
    const last = packed.at(-1);
    if (last === undefined || last.items.length === most || size + itemSize > PAGE_WEIGHT) {
      packed.push({ first: index, items: [item] });
      size = itemSize;
    } else {
      last.items.push(item);
      size += itemSize;
    }
  });
  return packed;
}
