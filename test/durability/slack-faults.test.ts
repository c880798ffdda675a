import { expect } from 'vitest';
import type { ApiCall, Fault } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { reads } from '../support/bot-messages.ts';
import { ended, finals, SUPPORT, test as sequential } from '../support/conversation.ts';
import { READY, SLOW } from '../support/shelved.ts';
import { beginWait, expectOneResult } from '../support/slack-troubles.ts';
import type { World, WorldOptions } from '../support/world.ts';

const test = sequential.concurrent;
/** Whoever installs the bot may refuse the scopes to read. */
const NO_HISTORY: WorldOptions = { slack: { scopes: ['commands', 'chat:write'] } };

function calls({ slack }: World, method: string): ApiCall[] {
  return slack.records.calls.filter((call) => call.method === method);
}

const notDone: [what: string, fault: Fault][] = [
  ['a 429', { status: 429, retryAfter: 1 }],
  ['ratelimited', { error: 'ratelimited' }],
  ['a 500', { status: 500 }],
  ['a 503', { status: 503 }],
  ['internal_error', { error: 'internal_error' }],
  ['a reset', 'reset'],
];

test.for(notDone)(
  'A post, and then an edit, that Slack answers with %s is made again, once',
  async ([_, fault], { world }) => {
    world.slack.failNext('chat.postMessage', fault);
    await world.slack.command({ text: '1012' });
    await expectOneResult(world);
    const message = await beginWait(world);
    world.slack.failNext('chat.update', fault);
    world.service.shelve('7001', READY);
    expect((await ended(world, 2)).map(({ ts }) => ts)).toContain(message.ts);
    await atRest(world.address());
    expect(world.slack.messages(SUPPORT)).toHaveLength(2);
  },
);

test('A wait whose first post lost its answer goes on in that message', async ({ world }) => {
  world.slack.failNext('chat.postMessage', 'lost-response');
  const message = await beginWait(world);
  world.service.shelve('7001', READY);
  await expectOneResult(world);
  expect(finals(world)[0]?.ts).toBe(message.ts);
});

test('A direct message whose confirmation was lost is looked for before the answer goes elsewhere', async ({
  world,
}) => {
  const { slack, service } = world;
  service.shelve('1012', SLOW);
  await slack.command({ text: '1012', channel: 'C0SECRET' });
  await reads(world, 'still being processed', { channel: 'C0SECRET' });
  slack.failNext('response_url', { status: 404 });
  slack.failNext('chat.postMessage', 'lost-response');
  service.shelve('1012', READY);
  await atRest(world.address());
  const seen = ['C0SECRET', '@ana'].map((where) =>
    slack.messages(where, 'U0ANA').filter(({ text }) => text.includes('1 hit')),
  );
  expect(seen.map(({ length }) => length)).toEqual([0, 1]);
});

test('Where the bot may not read, a lost answer leads to a second message', async ({ open }) => {
  const world = await open(NO_HISTORY);
  world.slack.failNext('chat.postMessage', 'lost-response');
  await world.slack.command({ text: '1012' });
  const messages = await ended(world, 2);
  await atRest(world.address());
  expect(finals(world)).toHaveLength(2);
  for (const { text } of messages) expect(text).toContain('1 hit');
  expect(calls(world, 'conversations.history').map(({ answer }) => answer)).toEqual([
    expect.objectContaining({ error: 'missing_scope' }),
  ]);
});
