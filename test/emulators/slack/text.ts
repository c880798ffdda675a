import type { Json } from './json.ts';
import type { VisibleMessage } from './model.ts';
import { blockLines } from './text-blocks.ts';
import { type Names, readable, wrap } from './text-lines.ts';

const RULE = '─';

/** A message as a terminal can show it; `names` gives the names of users and channels by id. */
export function renderText(message: VisibleMessage, names: Names): string {
  const author = names.get(message.user) ?? message.user;
  const head = message.ephemeral ? `${author} · Only visible to you` : author;
  const inThread = message.threadTs && message.threadTs !== message.ts ? `${head} · in a thread` : head;
  const body =
    message.blocks.length > 0 ? renderBlocks(message.blocks, names) : wrap(readable(message.text, names));
  const lines = [inThread, ...body];
  if (message.edited) lines.push('(edited)');
  return lines.join('\n');
}

/** Blocks (of a modal, for example) as lines for a terminal. */
function renderBlocks(blocks: readonly Json[], names: Names): string[] {
  return blocks.flatMap((block) => (block.type === 'divider' ? [RULE.repeat(40)] : blockLines(block, names)));
}
