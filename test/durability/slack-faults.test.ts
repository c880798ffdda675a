import { expect } from 'vitest';
import type { ApiCall, Fault } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { reads } from '../support/bot-messages.ts';
import { ended, finals, SUPPORT, test as sequential } from '../support/conversation.ts';
import { READY, SLOW } from '../support/shelved.ts';
import { beginWait, expectOneResult } from '../support/slack-troubles.ts';
import type { World, WorldOptions } from '../support/world.ts';

const test = sequential.concurrent;
/** A workspace may refuse the scopes that read messages. */
const NO_HISTORY: WorldOptions = { slack: { scopes: ['commands', 'chat:write'] } };

function calls({ slack }: World, method: string): ApiCall[] {
  return slack.records.calls.filter((call) => call.method === method);
}

const NOT_TAKEN: [what: string, fault: Fault][] = [
  ['a 429', { status: 429, retryAfter: 1 }],
  ['ratelimited', { error: 'ratelimited' }],
  ['a 500', { status: 500 }],
  ['a 503', { status: 503 }],
  ['internal_error', { error: 'internal_error' }],
  ['a reset', 'reset'],
];

test.for(NOT_TAKEN)(
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

test('A wait whose post was not confirmed goes on in that message', async ({ world }) => {
  world.slack.failNext('chat.postMessage', 'lost-response');
  const message = await beginWait(world);
  world.service.shelve('7001', READY);
  await expectOneResult(world);
  expect(finals(world)[0]?.ts).toBe(message.ts);
});

test('An answer that goes directly, because its response URL is gone, comes once though its confirmation is lost', async ({
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
  const answersIn = (where: string) =>
    slack.messages(where, 'U0ANA').filter(({ text }) => text.includes('1 hit'));
  expect(answersIn('@ana')).toHaveLength(1);
  expect(answersIn('C0SECRET')).toEqual([]);
});

test('Where the bot may not read the channel, a post that was not confirmed is posted twice', async ({
  open,
}) => {
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
