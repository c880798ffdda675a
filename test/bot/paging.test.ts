import { expect } from 'vitest';
import { readState } from '../../src/slack/blocks/action-values.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { record } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { forget } from '../support/forget.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const NEXT = 'page-next';
const PREVIOUS = 'page-previous';

/** Presses a button, and gives the message when it shows the page. */
async function turned(
  world: World,
  message: VisibleMessage,
  actionId: string,
  page: number,
  user = 'ana',
): Promise<VisibleMessage> {
  const delivery = await world.slack.click({ message, actionId, user });
  expect(delivery.acknowledged).toBe(true);
  return world.slack.waitFor(
    () =>
      world.slack
        .messages(message.channel)
        .find(({ ts, blocks }) => ts === message.ts && pageOf(blocks) === page),
    `page ${page}`,
  );
}

/** Counted from 1. */
function pageOf(blocks: VisibleMessage['blocks']): number {
  return readState(String(record(blocks.at(-1)).block_id)).page + 1;
}

test.for(['http', 'socket'] as const)(
  'Pages turn in the same message over %s, without a request',
  async (mode, { open }) => {
    const world = await open({ mode });
    const first = await ask(world, '1001');
    expect(pageOf(first.blocks)).toBe(1);
    expect(offers(first)).toContain(NEXT);
    expect(offers(first)).not.toContain(PREVIOUS);
    const second = await turned(world, first, NEXT, 2);
    expect(second.text).toContain('· hits 4–8 of 37\n');
    expect(textsOf(second.blocks, 'mrkdwn').join()).toContain('asked by <@U0ANA>');
    const back = await turned(world, second, PREVIOUS, 1);
    expect(back.blocks.slice(0, -1)).toEqual(first.blocks.slice(0, -1));
    expect(world.slack.messages(SUPPORT)).toHaveLength(1);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test('A page beyond the end of a result shows the last one that there is', async ({ world }) => {
  const first = await ask(world, '1010');
  const { 1011: shorter } = demoShelf();
  if (shorter === undefined) throw new Error('1011 is not on the shelf');
  const sixth = await [2, 3, 4, 5, 6].reduce(
    async (message, page) => turned(world, await message, NEXT, page),
    Promise.resolve(first),
  );
  world.service.shelve('1010', shorter);
  await forget(world);
  const last = await turned(world, sixth, PREVIOUS, 3);
  expect(last.text).toContain('13 hits');
});
