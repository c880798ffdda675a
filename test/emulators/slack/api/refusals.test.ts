import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { type BareBot, startBareBot } from '../testing/bare-bot.ts';

let bareBot: BareBot;
beforeEach(async () => {
  bareBot = await startBareBot();
});
afterEach(() => bareBot.close());

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const support = { channel: 'C0SUPPORT' };

interface Case {
  readonly name: string;
  readonly method: string;
  readonly args: Json;
  readonly error: string;
  readonly breach?: boolean;
}

const long = 'x'.repeat(2990);
const cases: Case[] = [
  { name: 'unknown method', method: 'chat.shout', args: {}, error: 'unknown_method', breach: true },
  {
    name: 'unknown channel',
    method: 'chat.postMessage',
    args: { channel: 'C0NOWHERE', text: 'a' },
    error: 'channel_not_found',
    breach: true,
  },
  {
    name: 'public channel without the bot',
    method: 'chat.postMessage',
    args: { channel: 'C0RANDOM', text: 'a' },
    error: 'not_in_channel',
  },
  {
    name: 'private channel without the bot',
    method: 'chat.postMessage',
    args: { channel: 'C0SECRET', text: 'a' },
    error: 'channel_not_found',
  },
  {
    name: "people's DM",
    method: 'chat.postMessage',
    args: { channel: 'D0ANABEN', text: 'a' },
    error: 'channel_not_found',
  },
  {
    name: 'archived channel',
    method: 'chat.postMessage',
    args: { channel: 'C0OLDNEWS', text: 'a' },
    error: 'is_archived',
  },
  {
    name: 'edit in an archived channel',
    method: 'chat.update',
    args: { channel: 'C0OLDNEWS', text: 'a', ts: '1700000000.000001' },
    error: 'is_inactive',
  },
  {
    name: 'message to a bot',
    method: 'chat.postMessage',
    args: { channel: 'U0DEPLOY', text: 'a' },
    error: 'cannot_dm_bot',
    breach: true,
  },
  { name: 'nothing to say', method: 'chat.postMessage', args: support, error: 'no_text', breach: true },
  {
    name: 'text over 40,000',
    method: 'chat.postMessage',
    args: { ...support, text: 'x'.repeat(40_001) },
    error: 'msg_too_long',
    breach: true,
  },
  {
    name: 'bad block',
    method: 'chat.postMessage',
    args: { ...support, text: 'a', blocks: [section('')] },
    error: 'invalid_blocks',
    breach: true,
  },
  {
    name: 'blocks that are not JSON',
    method: 'chat.postMessage',
    args: { ...support, text: 'a', blocks: '[{' },
    error: 'invalid_blocks_format',
    breach: true,
  },
  {
    name: 'blocks that are too long together',
    method: 'chat.postMessage',
    args: {
      ...support,
      text: 'a',
      blocks: [section(long), section(long), section(long), section(long), section(long)],
    },
    error: 'msg_blocks_too_long',
    breach: true,
  },
  {
    name: 'malformed thread',
    method: 'chat.postMessage',
    args: { ...support, text: 'a', thread_ts: '17' },
    error: 'invalid_thread_ts',
    breach: true,
  },
  {
    name: 'unknown thread',
    method: 'chat.postMessage',
    args: { ...support, text: 'a', thread_ts: '1700000000.000001' },
    error: 'thread_not_found',
    breach: true,
  },
  {
    name: 'edit of nothing',
    method: 'chat.update',
    args: { ...support, text: 'a', ts: '1700000000.000001' },
    error: 'message_not_found',
    breach: true,
  },
  {
    name: 'ephemeral to somebody who is not there',
    method: 'chat.postEphemeral',
    args: { ...support, user: 'U0GUEST', text: 'a' },
    error: 'user_not_in_channel',
  },
  {
    name: 'ephemeral to nobody',
    method: 'chat.postEphemeral',
    args: { ...support, user: 'U0NOBODY', text: 'a' },
    error: 'user_not_found',
    breach: true,
  },
  {
    name: 'facts about a private channel without the bot',
    method: 'conversations.info',
    args: { channel: 'C0SECRET' },
    error: 'channel_not_found',
  },
  {
    name: 'a DM with nobody',
    method: 'conversations.open',
    args: { users: 'U0NOBODY' },
    error: 'user_not_found',
    breach: true,
  },
  { name: 'nobody', method: 'users.info', args: { user: 'U0NOBODY' }, error: 'user_not_found', breach: true },
  {
    name: 'link to nothing',
    method: 'chat.getPermalink',
    args: { ...support, message_ts: '1.000001' },
    error: 'message_not_found',
    breach: true,
  },
  {
    name: 'modal without a trigger',
    method: 'views.open',
    args: { trigger_id: 'x', view: { type: 'modal', title: { type: 'plain_text', text: 'a' }, blocks: [] } },
    error: 'invalid_trigger_id',
    breach: true,
  },
  {
    name: 'socket with the wrong token',
    method: 'apps.connections.open',
    args: {},
    error: 'not_allowed_token_type',
    breach: true,
  },
];

test.each(cases)('$method refuses: $name', async ({ method, args, error, breach }) => {
  expect(await bareBot.call(method, args)).toMatchObject({ status: 200, ok: false, error });
  expect(bareBot.slack.records.breaches).toHaveLength(breach ? 1 : 0);
  expect(bareBot.slack.records.calls).toMatchObject([{ method, answer: { ok: false, error } }]);
});

test('a refusal of blocks says where and why', async () => {
  const answer = await bareBot.call('chat.postMessage', {
    ...support,
    text: 'a',
    blocks: [section('x'.repeat(3001))],
  });
  expect(answer.response_metadata).toEqual({
    messages: ['[ERROR] must be less than 3001 characters, has 3001 [json-pointer:/blocks/0/text/text]'],
  });
});
