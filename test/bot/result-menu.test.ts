import { expect } from 'vitest';
import { choicesOf, moreOf } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';

const test = sequential.concurrent;

test.for(['1001', '1002', '1001 miss', '1001 certificate', 'compare 1010 1011', '1014 1016', '1014 1002'])(
  'The menu of “%s” has five entries at most, and the last one names some of what stands behind it, and that alone',
  async (line, { world }) => {
    const message = await ask(world, line);
    const entries = [...choicesOf(message, 'more').keys()];
    expect(entries.length).toBeLessThanOrEqual(5);
    const { view } = await moreOf(world, message);
    const behind = textsOf(view.blocks, 'plain_text');
    expect(entries.filter((entry) => behind.includes(entry))).toEqual([]);
    const named = /^(.+)…$/.exec(entries.at(-1) ?? '')?.[1] ?? '';
    for (const word of named.toLowerCase().split(', '))
      expect(behind.map((each) => each.toLowerCase())).toContainEqual(expect.stringMatching(`^${word}`));
  },
);
