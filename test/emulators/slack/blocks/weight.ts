import { isRecord } from '../json.ts';

/** The most that the blocks of one message may weigh. */
export const HEAVIEST = 13_200;

/** The weight of a block without its text, as measured on header blocks. */
const BLOCK_OVERHEAD = 100;

const SILENT = new Set(['type', 'style', 'block_id', 'action_id', 'emoji', 'level']);

/**
 * The weight that Slack's undocumented limit for all blocks of a message counts, as others have measured it: every
 * character after `&`, `<` and `>` are escaped, and an overhead for each block.
 */
export function blockWeight(blocks: unknown): number {
  const list = Array.isArray(blocks) ? blocks : [];
  return list.reduce<number>((sum, block) => sum + BLOCK_OVERHEAD + characters(block), 0);
}

function characters(value: unknown): number {
  if (typeof value === 'string') return escapedLength(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + characters(inner), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => (SILENT.has(key) ? sum : sum + characters(inner)),
    0,
  );
}

function escapedLength(text: string): number {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').length;
}
