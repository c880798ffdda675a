import { expect } from 'vitest';
import { callsOf, reads } from '../support/bot-messages.ts';
import { finals, test as sequential } from '../support/conversation.ts';
import { statusOf } from '../support/raw-request.ts';
import { READY } from '../support/shelved.ts';
import { beginWait, expectOneResult } from '../support/slack-troubles.ts';
import type { World } from '../support/world.ts';

// Each test waits for a shipped timeout of ten seconds, so all run at the same time.
const test = sequential.concurrent;

test('Unfinished requests end after some seconds', async ({ world }) => {
  const port = Number(new URL(world.address()).port);
  const half = `POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 500000\r\n\r\n${'x'.repeat(400_000)}`;
  const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(port, half)));
  expect(new Set(statuses)).toEqual(new Set([408]));
  expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
  await reads(world, '1 hit');
});

/** The bot gives up a call after ten seconds, and waits ten more for Slack to carry it out after all. */
async function madeAgain(world: World, method: string): Promise<void> {
  await world.slack.waitFor(() => callsOf(world, method) === 2 || undefined, `a second ${method}`, 25_000);
}

test('A post that Slack leaves without an answer is made again, once', async ({ world }) => {
  world.slack.failNext('chat.postMessage', 'hang');
  await world.slack.command({ text: '1012' });
  await madeAgain(world, 'chat.postMessage');
  await expectOneResult(world);
});

test('An edit that Slack leaves without an answer is made again', async ({ world }) => {
  const message = await beginWait(world);
  world.slack.failNext('chat.update', 'hang');
  world.service.shelve('7001', READY);
  await madeAgain(world, 'chat.update');
  await expectOneResult(world);
  expect(finals(world)[0]?.ts).toBe(message.ts);
});
