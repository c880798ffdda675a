import type { z } from 'zod';
import { isRecord, type Json, records, string } from '../json.ts';
import { blockSchema, type Surface } from './schema.ts';
import { blockWeight, HEAVIEST } from './weight.ts';

/** One reason why Slack would refuse blocks or a view. */
export interface BlockFault {
  readonly path: string;
  readonly problem: string;
}

const SCHEMAS = { message: blockSchema('message'), modal: blockSchema('modal'), home: blockSchema('home') };
const MOST: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };

/** Every reason why Slack would refuse these blocks on that surface, each with its place. The total weight is not checked. */
export function findBlockFaults(blocks: unknown, surface: Surface, at = '/blocks'): BlockFault[] {
  if (!Array.isArray(blocks)) return [{ path: at, problem: 'must be an array of blocks' }];
  const most = MOST[surface];
  const number = `no more than ${most} items allowed, has ${blocks.length}`;
  return [
    ...(blocks.length > most ? [{ path: at, problem: number }] : []),
    ...blocks.flatMap((block, index) => faultsIn(SCHEMAS[surface], block, `${at}/${index}`)),
    ...repeated(blocks, 'block_id', at),
    ...(records(blocks).filter(({ type }) => type === 'table').length > 1
      ? [{ path: at, problem: 'only_one_table_allowed' }]
      : []),
    ...blocks.flatMap((block, index) =>
      isRecord(block) && block.type === 'actions'
        ? repeated(block.elements, 'action_id', `${at}/${index}/elements`)
        : [],
    ),
    ...(records(blocks).flatMap(elementsOf).filter(isFocused).length > 1
      ? [{ path: at, problem: 'only one element may have focus_on_load' }]
      : []),
  ];
}

/** What a schema finds wrong, with the place of each fault below `at`. */
export function faultsIn(schema: z.ZodType, value: unknown, at: string): BlockFault[] {
  const { error } = schema.safeParse(value, { reportInput: true });
  return (error?.issues ?? []).map((issue) => {
    const problem = problemOf(issue);
    // The type is that of the object: Slack names the place of this.
    const path = problem.startsWith('unsupported') ? withoutType(issue.path) : issue.path;
    return { path: [at, ...path].join('/'), problem };
  });
}

function withoutType(path: readonly PropertyKey[]): readonly PropertyKey[] {
  return path.at(-1) === 'type' ? path.slice(0, -1) : path;
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `invalid additional property: ${issue.keys.join(', ')}`;
  const { input } = issue;
  const isText = typeof input === 'string';
  if (!isText && !Array.isArray(input)) return issue.message;
  if (issue.code === 'too_small')
    return isText
      ? `must be more than ${Number(issue.minimum) - 1} characters`
      : `must have at least ${issue.minimum} items`;
  if (issue.code === 'too_big')
    return isText
      ? `must be less than ${Number(issue.maximum) + 1} characters, has ${input.length}`
      : `no more than ${issue.maximum} items allowed, has ${input.length}`;
  return issue.message;
}

function repeated(items: unknown, key: 'block_id' | 'action_id', at: string): BlockFault[] {
  const ids = Array.isArray(items) ? items.map((item) => (isRecord(item) ? string(item[key]) : '')) : [];
  return ids.flatMap((id, index) =>
    id !== '' && ids.indexOf(id) < index
      ? [{ path: `${at}/${index}`, problem: `${key} "${id}" already exists` }]
      : [],
  );
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

function isFocused(element: Json): boolean {
  return element.focus_on_load === true;
}

/** The interactive elements of a block, in the order in which they are shown. */
export function elementsOf(block: Json): Json[] {
  return block.type === 'actions'
    ? records(block.elements)
    : [block.element, block.accessory].filter(isRecord);
}
