import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../../src/core/destination.ts';
import type { Message } from '../../../../src/slack/block-kit/blocks.ts';
import { Poster } from '../../../../src/slack/delivery/poster.ts';
import { RateLimitedQueue, type Urgency } from '../../../../src/slack/delivery/rate-limited-queue.ts';
import type { ResponseUrlPoster } from '../../../../src/slack/delivery/response-url-poster.ts';
import { UpdateSender } from '../../../../src/slack/delivery/update-sender.ts';
import { aLookup } from '../../../support/a-lookup.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from '../../../support/scripted-slack.ts';

const NOW = 1_000_000;
const MESSAGE: Message = { text: 'A text', blocks: [] };
const SHOWN: Destination = { channel: 'C1', user: 'U1', messageTs: '1.1' };
const RESPONSE = { url: 'https://hooks.slack.test/1', expiresAt: NOW + 1_000, replaces: false };

/** Slack refuses the methods that are named with these codes. */
function sending(refusals: Readonly<Record<string, ScriptedAnswer>> = {}, isUrlSpent = false) {
  const slack = scriptedSlack(
    ({ method }: ScriptedCall) => refusals[method] ?? { channel: 'C9', ts: '2.2', messages: [] },
  );
  const responded: unknown[] = [];
  const responses = {
    post: async (...args: unknown[]) => {
      responded.push(args);
      return isUrlSpent ? undefined : { ...RESPONSE, uses: 1, isInUse: true };
    },
  };
  const sender = new UpdateSender({
    poster: new Poster({
      client: slack.client,
      rateLimitedQueue: new RateLimitedQueue(),
      onRefusedContent: () => {},
    }),
    responses: responses as unknown as ResponseUrlPoster,
    identity: async () => Promise.reject(new Error('unknown')),
    now: () => NOW,
  });
  const saved: Destination[] = [];
  const send = (destination: Destination, urgency: Urgency = 'final', deadline = NOW + 60_000) =>
    sender.send(destination, {
      lookup: { ...aLookup('one'), deadline },
      urgency,
      save: async (where) => void saved.push(where),
      compose: () => MESSAGE,
      shows: undefined,
    });
  return { ...slack, responded, saved, send };
}

describe('An edit', () => {
  test('stays where it is', async () => {
    const { send, methods } = sending();
    expect(await send(SHOWN)).toEqual({ destination: SHOWN, isShown: true });
    expect(methods()).toEqual(['chat.update']);
  });

  test.each([
    ['message_not_found', ['chat.update', 'chat.postMessage']],
    ['cant_update_message', ['chat.update', 'chat.postMessage', 'chat.delete']],
    ['is_archived', ['chat.update', 'chat.postMessage', 'chat.delete']],
  ])(
    'that is refused (%s) is followed by a new message, of progress too, and what is left of the old one goes',
    async (error, expected) => {
      for (const urgency of ['progress', 'final'] as const) {
        const { send, methods, saved } = sending({ 'chat.update': error });
        expect((await send(SHOWN, urgency)).destination).toMatchObject({ channel: 'C9', messageTs: '2.2' });
        expect(methods()).toEqual(expected);
        expect(saved).toEqual([{ channel: 'C1', user: 'U1', unconfirmed: { at: NOW } }]);
      }
    },
  );

  test('that is refused for what it says is no progress, and a final one goes elsewhere', async () => {
    const refused = { 'chat.update': 'msg_too_long' };
    const progress = sending(refused);
    await expect(progress.send(SHOWN, 'progress')).rejects.toThrow('msg_too_long');
    expect(progress.methods()).not.toContain('chat.postMessage');
    const final = sending(refused);
    await final.send(SHOWN);
    expect(final.methods()).toContain('chat.postMessage');
  });

  test.each(['ratelimited', 'internal_error'])(
    'that Slack fails to make (%s) is made later',
    async (error) => {
      const { send, methods } = sending({ 'chat.update': error });
      await expect(send(SHOWN)).rejects.toThrow(error);
      expect(methods()).toEqual(['chat.update']);
    },
  );
});

test('An edit that Slack refuses for a while is a new message five minutes after the wait, and the old one goes', async () => {
  const refused = { 'chat.update': 'external_channel_migrating' };
  const early = sending(refused);
  const fiveMinutes = 300_000;
  await expect(early.send(SHOWN, 'final', NOW - fiveMinutes)).rejects.toThrow();
  expect(early.methods()).toEqual(['chat.update']);
  const over = sending(refused);
  expect((await over.send(SHOWN, 'final', NOW - fiveMinutes - 1)).destination).toMatchObject({
    messageTs: '2.2',
  });
  expect(over.methods()).toEqual(['chat.update', 'chat.postMessage', 'chat.delete']);
  const progress = sending(refused);
  await expect(progress.send(SHOWN, 'progress', NOW - fiveMinutes - 1)).rejects.toThrow();
  const unsure = sending({ 'chat.update': 'internal_error' });
  await expect(unsure.send(SHOWN, 'final', NOW - fiveMinutes - 1)).rejects.toThrow();
  expect([...progress.methods(), ...unsure.methods()]).toEqual(['chat.update', 'chat.update']);
});

describe('A post', () => {
  const { messageTs: _none, ...NEW } = SHOWN;

  test('begins a thread or goes on in one, which has replies then', async () => {
    const { send, saved } = sending();
    expect(await send({ ...NEW, threadTs: '0.5' })).toEqual({
      destination: { channel: 'C9', user: 'U1', threadTs: '0.5', hasThread: true, messageTs: '2.2' },
      isShown: true,
    });
    expect(saved).toHaveLength(1);
  });

  test('that is refused goes to the response URL, and from there directly', async () => {
    const url = sending({ 'chat.postMessage': 'not_in_channel' });
    const { destination } = await url.send({ ...NEW, response: RESPONSE });
    expect(destination.response).toMatchObject({ uses: 1, isInUse: true });
    expect(url.responded).toHaveLength(1);
    const spent = sending({}, true);
    await spent.send({ ...NEW, response: { ...RESPONSE, isInUse: true } });
    expect(spent.calls.map(({ args }) => args.channel)).toEqual(['U1']);
    const late = sending();
    await late.send({ ...NEW, response: { ...RESPONSE, isInUse: true, expiresAt: NOW } });
    expect([late.responded, late.calls.map(({ args }) => args.channel)]).toEqual([[], ['U1']]);
  });

  test('that Slack refuses for a while is made later, and elsewhere once the wait is over', async () => {
    const refused = { 'chat.postMessage': 'external_channel_migrating' };
    const early = sending(refused);
    await expect(early.send({ ...NEW, response: RESPONSE }, 'final', NOW)).rejects.toThrow();
    expect(early.responded).toEqual([]);
    const over = sending(refused);
    await over.send({ ...NEW, response: RESPONSE }, 'final', NOW - 1);
    expect(over.responded).toHaveLength(1);
  });

  test('that the person refuses is the last way', async () => {
    const { send, methods } = sending({ 'chat.postMessage': 'messages_tab_disabled' });
    await expect(send({ channel: 'U1', user: 'U1' })).rejects.toThrow('messages_tab_disabled');
    expect(methods()).toEqual(['chat.postMessage']);
  });
});

test('Progress is not said through a response URL that only adds messages', async () => {
  const { send, responded, methods } = sending();
  const destination = { channel: 'C1', user: 'U1', response: { ...RESPONSE, isInUse: true } };
  expect(await send(destination, 'progress')).toEqual({ destination, isShown: true });
  expect([responded, methods()]).toEqual([[], []]);
});
