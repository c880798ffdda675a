import { isRecord, type Json, records } from '../json.ts';
import { type BlockFault, type Check, checkKeys, checkOptionalString, fail, type Surface } from './check.ts';
import { BLOCKS } from './kinds.ts';
import { blockWeight, HEAVIEST } from './weight.ts';

const MOST: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };

/** Every reason why Slack would refuse these blocks on that surface, each with its place. The total weight is not checked. */
export function findBlockFaults(blocks: unknown, surface: Surface, at = '/blocks'): BlockFault[] {
  const check: Check = { surface, faults: [] };
  if (!Array.isArray(blocks)) {
    fail(check, at, 'must be an array of blocks');
    return check.faults;
  }
  const most = MOST[surface];
  if (blocks.length > most) fail(check, at, `no more than ${most} items allowed, has ${blocks.length}`);
  for (const [index, block] of blocks.entries()) checkBlock(check, `${at}/${index}`, block);
  checkIds(check, at, blocks);
  checkFocus(check, at, blocks);
  return check.faults;
}

/**
 * Readable sentences, each with a JSON path, about everything that Slack would refuse in these blocks;
 * none when it would take them.
 */
export function blockFaults(blocks: unknown, surface: Surface): string[] {
  const faults = findBlockFaults(blocks, surface).map(describeFault);
  const weight = surface === 'message' ? blockWeight(blocks) : 0;
  if (weight > HEAVIEST) faults.push(`msg_blocks_too_long: ${weight} characters, ${HEAVIEST} fit [/blocks]`);
  return faults;
}

/** One fault in Slack's own words. */
export function describeFault(fault: BlockFault): string {
  return `${fault.problem} [json-pointer:${fault.path}]`;
}

function checkBlock(check: Check, path: string, block: unknown): void {
  if (!isRecord(block)) {
    fail(check, path, 'must be a block');
    return;
  }
  const rule = typeof block.type === 'string' ? BLOCKS[block.type] : undefined;
  if (!rule) {
    fail(check, path, `unsupported type: ${JSON.stringify(block.type)}`);
    return;
  }
  if (!rule.surfaces.includes(check.surface)) {
    fail(check, path, `unsupported type: ${block.type} is not allowed in a ${check.surface}`);
    return;
  }
  checkKeys(check, path, block, ['type', 'block_id', ...rule.keys]);
  checkOptionalString(check, `${path}/block_id`, block.block_id, 255);
  rule.check(check, path, block);
}

function checkIds(check: Check, at: string, blocks: readonly unknown[]): void {
  const seen = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    if (!isRecord(block) || typeof block.block_id !== 'string') continue;
    if (seen.has(block.block_id))
      fail(check, `${at}/${index}`, `block_id "${block.block_id}" already exists`);
    seen.add(block.block_id);
  }
}

function checkFocus(check: Check, at: string, blocks: readonly unknown[]): void {
  const focused = records(blocks)
    .flatMap(elementsOf)
    .filter((element) => element.focus_on_load === true);
  if (focused.length > 1) fail(check, at, 'only one element may have focus_on_load');
}

/** The interactive elements of a block, in the order in which they are shown. */
export function elementsOf(block: Json): Json[] {
  return block.type === 'actions'
    ? records(block.elements)
    : [block.element, block.accessory].filter(isRecord);
}
