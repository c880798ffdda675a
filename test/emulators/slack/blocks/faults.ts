import type { z } from 'zod';
import { isRecord } from '../json.ts';
import { blocksOf, type Surface } from './schema.ts';

const SCHEMAS = { message: blocksOf('message'), modal: blocksOf('modal'), home: blocksOf('home') };

/** Everything in these blocks that Slack would refuse on this surface, except their total weight. */
export function blockFaults(blocks: unknown, surface: Surface): string[] {
  return faultsIn(SCHEMAS[surface], blocks, '/blocks');
}

/** The errors of a schema, each with its position below `at`, as Slack names it. */
export function faultsIn(schema: z.ZodType, value: unknown, at: string): string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(
    ({ message, path }) => `${message} [json-pointer:${[at, ...path].join('/')}]`,
  );
}

/** The most that the blocks of one message may weigh. */
export const HEAVIEST = 13_200;

/** The weight of a block without its text, as measured on header blocks. */
const BLOCK_OVERHEAD = 100;

const SILENT = new Set(['type', 'style', 'block_id', 'action_id', 'emoji', 'level']);

/**
 * The weight of blocks under Slack's undocumented limit for a message, as other people measured it: the characters of
 * their escaped texts, and an overhead for each block.
 */
export function blockWeight(blocks: readonly unknown[]): number {
  return blocks.length * BLOCK_OVERHEAD + characters(blocks);
}

function characters(value: unknown): number {
  if (typeof value === 'string')
    return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').length;
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + characters(inner), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => (SILENT.has(key) ? sum : sum + characters(inner)),
    0,
  );
}
