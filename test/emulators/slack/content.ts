import { blockFaults, blockWeight, HEAVIEST } from './blocks/faults.ts';
import type { Journal } from './journal.ts';
import { type Json, parseJson, records } from './json.ts';
import { autoLinkFaults, pagingFaults } from './paging.ts';
import { Refusal } from './refusal.ts';
import type { Workspace } from './workspace.ts';

/** The checked content of a message. */
export interface Content {
  readonly text: string;
  readonly blocks: readonly Json[];
}

/** The longest text in characters, unless Slack names another limit. */
const LONGEST = 40_000;

/**
 * Checks a message. Throws Slack's refusals, and records a breach for what Slack accepts but no bot should send.
 * `longestBytes`: the limit of the text in UTF-8, as sent: `&amp;` has five bytes.
 */
export function checkContent(
  args: Json,
  { workspace, journal }: { readonly workspace: Workspace; readonly journal: Journal },
  longestBytes = Number.POSITIVE_INFINITY,
): Content {
  const { text = '' } = args;
  if (typeof text !== 'string') throw new Refusal('invalid_arguments', 'text is not a string');
  const bytes = Buffer.byteLength(text);
  if (text.length > LONGEST || bytes > longestBytes)
    throw new Refusal('msg_too_long', `text of ${text.length} characters, ${bytes} bytes`);
  const blocks = checkBlocks(args.blocks);
  if (args.attachments !== undefined) journal.breach('attachments are not modelled here');
  if (text === '' && blocks.length === 0) throw new Refusal('no_text', 'neither text nor blocks');
  if (text.trim() === '') journal.breach('blocks without a text for notifications');
  const isUser = (id: string) => workspace.users.some((user) => user.id === id);
  for (const fault of [...pagingFaults(text, blocks, isUser), ...autoLinkFaults(args)]) journal.breach(fault);
  return { text, blocks };
}

/** Checks the blocks of a message, or of a preview. */
export function checkBlocks(value: unknown): Json[] {
  if (value === undefined || value === '') return [];
  const blocks = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format', 'blocks are not a JSON array');
  const faults = blockFaults(blocks, 'message');
  if (faults.length > 0) {
    throw new Refusal('invalid_blocks', `invalid_blocks: ${faults.join('; ')}`, {
      errors: faults,
      response_metadata: { messages: faults.map((fault) => `[ERROR] ${fault}`) },
    });
  }
  const weight = blockWeight(blocks);
  if (weight > HEAVIEST) {
    throw new Refusal('msg_blocks_too_long', `blocks of ${weight} characters, ${HEAVIEST} fit`);
  }
  return records(blocks);
}
