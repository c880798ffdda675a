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
const PREVIEW = { blocks: [section('a')] };

const long = section('x'.repeat(2990));
const said = { ...support, text: 'a' };
const modal = { type: 'modal', title: { type: 'plain_text', text: 'a' }, blocks: [] };
const [nobody, never] = ['U0NOBODY', '1700000000.000001'];

/** What no well-behaved bot does: each refusal is a breach too. */
const breaches: [method: string, error: string, args: Json][] = [
  ['chat.shout', 'unknown_method', {}],
  ['chat.postMessage', 'channel_not_found', { ...said, channel: 'C0NOWHERE' }],
  ['chat.postMessage', 'cannot_dm_bot', { ...said, channel: 'U0DEPLOY' }],
  ['chat.postMessage', 'no_text', support],
  ['chat.postMessage', 'msg_too_long', { ...support, text: 'x'.repeat(40_001) }],
  ['chat.postMessage', 'invalid_blocks', { ...said, blocks: [section('')] }],
  ['chat.postMessage', 'invalid_blocks_format', { ...said, blocks: '[{' }],
  ['chat.postMessage', 'msg_blocks_too_long', { ...said, blocks: [long, long, long, long, long] }],
  ['chat.postMessage', 'invalid_thread_ts', { ...said, thread_ts: '17' }],
  ['chat.postMessage', 'thread_not_found', { ...said, thread_ts: never }],
  ['chat.update', 'message_not_found', { ...said, ts: never }],
  ['chat.postEphemeral', 'user_not_found', { ...said, user: nobody }],
  ['conversations.open', 'user_not_found', { users: nobody }],
  ['users.info', 'user_not_found', { user: nobody }],
  ['chat.unfurl', 'missing_unfurls', { ...support, ts: never, unfurls: {} }],
  ['chat.unfurl', 'cannot_find_channel', { channel: 'C0NOWHERE', ts: never, unfurls: { a: PREVIEW } }],
  ['chat.unfurl', 'message_not_found', { ...support, ts: never, unfurls: { a: PREVIEW } }],
  ['chat.unfurl', 'invalid_unfurl_id', { unfurl_id: 'U1', source: 'composer', unfurls: { a: PREVIEW } }],
  ['chat.getPermalink', 'message_not_found', { ...support, message_ts: '1.000001' }],
  ['views.open', 'invalid_trigger_id', { trigger_id: 'x', view: modal }],
  ['apps.connections.open', 'not_allowed_token_type', {}],
];

/** What depends on the workspace alone: a channel without the bot, people's DM, an archived channel, a guest. */
const answers: typeof breaches = [
  ['chat.postMessage', 'not_in_channel', { ...said, channel: 'C0RANDOM' }],
  ['chat.postMessage', 'channel_not_found', { ...said, channel: 'C0SECRET' }],
  ['chat.postMessage', 'channel_not_found', { ...said, channel: 'D0ANABEN' }],
  ['chat.postMessage', 'is_archived', { ...said, channel: 'C0OLDNEWS' }],
  ['chat.update', 'is_inactive', { ...said, channel: 'C0OLDNEWS', ts: never }],
  ['chat.postEphemeral', 'user_not_in_channel', { ...said, user: 'U0GUEST' }],
  ['chat.unfurl', 'cannot_find_channel', { channel: 'C0SECRET', ts: never, unfurls: { a: PREVIEW } }],
  ['chat.unfurl', 'feature_not_enabled', { ...support, ts: never, metadata: { entities: [{}] } }],
  ['entity.presentDetails', 'feature_not_enabled', { trigger_id: 'x' }],
  ['conversations.info', 'channel_not_found', { channel: 'C0SECRET' }],
  ['conversations.members', 'channel_not_found', { channel: 'C0SECRET' }],
];

async function expectRefused(method: string, error: string, args: Json, breached: number): Promise<void> {
  expect(await bareBot.call(method, args)).toMatchObject({ status: 200, ok: false, error });
  expect(bareBot.slack.records.breaches).toHaveLength(breached);
  expect(bareBot.slack.records.calls).toMatchObject([{ method, answer: { ok: false, error } }]);
}

test.each(breaches)('%s is refused as a breach: %s, %j', (...call) => expectRefused(...call, 1));
test.each(answers)('%s is refused: %s, %j', (...call) => expectRefused(...call, 0));

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
