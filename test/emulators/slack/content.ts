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

/** The context of a check, and the limits that apply. */
interface ContentRules {
  readonly workspace: Workspace;
  readonly journal: Journal;
  /** The method's name, or `response_url`, for the text of a breach. */
  readonly by: string;
  /** In characters. */
  readonly longestText?: number;
  /** In bytes of UTF-8, as they are sent: `&amp;` is five. */
  readonly longestTextBytes?: number;
}

/** In characters; it applies where Slack names no other limit. */
const LONGEST = 40_000;

/** Checks a message: throws what Slack would refuse, and records a breach for what Slack takes but no bot should send. */
export function checkContent(args: Json, rules: ContentRules): Content {
  const text = checkText(args, rules);
  const blocks = checkBlocks(args.blocks, rules.by);
  if (args.attachments !== undefined) rules.journal.breach(`${rules.by}: attachments are not modelled here`);
  if (text === '' && blocks.length === 0)
    throw new Refusal('no_text', `${rules.by}: neither text nor blocks`);
  if (text.trim() === '') rules.journal.breach(`${rules.by}: blocks without a text for notifications`);
  const isUser = (id: string) => rules.workspace.users.some((user) => user.id === id);
  for (const fault of [...pagingFaults(text, blocks, isUser), ...autoLinkFaults(args)]) {
    rules.journal.breach(`${rules.by}: ${fault}`);
  }
  return { text, blocks };
}

function checkText(args: Json, rules: ContentRules): string {
  const { text = '' } = args;
  if (typeof text !== 'string') throw new Refusal('invalid_arguments', `${rules.by}: text is not a string`);
  const { longestText = LONGEST, longestTextBytes = Number.POSITIVE_INFINITY } = rules;
  const bytes = Buffer.byteLength(text);
  if (text.length > longestText || bytes > longestTextBytes) {
    throw new Refusal('msg_too_long', `${rules.by}: text of ${text.length} characters, ${bytes} bytes`);
  }
  return text;
}

/** Checks the blocks of a message, or of a preview. */
export function checkBlocks(value: unknown, by: string): Json[] {
  if (value === undefined || value === '') return [];
  const blocks = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(blocks))
    throw new Refusal('invalid_blocks_format', `${by}: blocks are not a JSON array`);
  const faults = blockFaults(blocks, 'message');
  if (faults.length > 0) {
    throw new Refusal('invalid_blocks', `${by}: invalid_blocks: ${faults.join('; ')}`, {
      errors: faults,
      response_metadata: { messages: faults.map((fault) => `[ERROR] ${fault}`) },
    });
  }
  const weight = blockWeight(blocks);
  if (weight > HEAVIEST) {
    throw new Refusal('msg_blocks_too_long', `${by}: blocks of ${weight} characters, ${HEAVIEST} fit`);
  }
  return records(blocks);
}
