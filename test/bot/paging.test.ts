import { expect } from 'vitest';
import { readState } from '../../src/slack/block-kit/action-values.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { record } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { ask, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
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

for (const mode of ['http', 'socket'] as const) {
  test(`Pages turn in the same message over ${mode}, without a request`, async ({ open }) => {
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
  });
}

test('The last page offers no next one, and all pages together hold every hit once', async ({ open }) => {
  const world = await open();
  let message = await ask(world, '1001 hit');
  const lines = message.text.split('\n').slice(1);
  for (let page = 2; offers(message).includes(NEXT); page += 1) {
    message = await turned(world, message, NEXT, page);
    lines.push(...message.text.split('\n').slice(1));
  }
  expect(new Set(lines).size).toBe(37);
  expect(lines).toHaveLength(37);
});

test('Pages of passed checks turn too', async ({ open }) => {
  const world = await open();
  const first = await ask(world, '1001 miss');
  const second = await turned(world, first, NEXT, 2);
  expect(second.text).toContain('· checks 8–17 of 210');
  // Nobody reads 210 lines.
  expect(textsOf(first.blocks[1], 'text').at(-1)).toMatch(/search or export/i);
});

test('A page that is beyond a result which became shorter shows the last one that there is', async ({
  open,
}) => {
  const world = await open();
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

test('A click whose result cannot be read is answered to the one who clicked, and the message stays', async ({
  open,
}) => {
  const world = await open();
  const first = await ask(world, '1001');
  await forget(world);
  world.service.shelve('1001', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await world.slack.click({ message: first, actionId: NEXT });
  const told = await world.slack.waitFor(
    () => world.slack.messages(SUPPORT, 'ana').find(({ ephemeral }) => ephemeral),
    'a private answer',
  );
  expect(told.text).toContain('The service no longer has snapshot 1001, so this message can’t be updated.');
  expect(world.slack.messages(SUPPORT, 'ben')).toEqual([expect.objectContaining({ text: first.text })]);
});

test('A click while the snapshot is processed anew says so to the one who clicked', async ({ open }) => {
  const world = await open();
  const first = await ask(world, '1001');
  await forget(world);
  world.service.nextAnswers([{ status: 202 }]);
  await world.slack.click({ message: first, actionId: NEXT });
  const told = await shown(world, 'is processing snapshot 1001.');
  expect(told.ephemeral).toBe(true);
});

test('A page whose blocks Slack refuses is shown as text', async ({ open }) => {
  const world = await open();
  const first = await ask(world, '1001');
  world.slack.failNext('response_url', { status: 400 });
  await world.slack.click({ message: first, actionId: NEXT });
  const second = await shown(world, /hits 4–8/);
  expect(second).toMatchObject({ ts: first.ts, blocks: [] });
});
