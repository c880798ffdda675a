import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Json, record } from '../json.ts';
import { type Slack, startSlack } from '../slack.ts';

let slack: Slack;
beforeEach(async () => {
  slack = await startSlack();
});
afterEach(() => slack.close());

/** Calls a method as Slack's client for Node does. */
async function call(method: string, args: Json, token: string | null = slack.botToken): Promise<Json> {
  const fields = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    body: new URLSearchParams(fields as [string, string][]),
  });
  return { status: response.status, ...record(await response.json()) };
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const support = { channel: 'C0SUPPORT' };
const PREVIEW = { blocks: [section('a')] };

const long = section('x'.repeat(2990));
const said = { ...support, text: 'a' };
const modal = { type: 'modal', title: { type: 'plain_text', text: 'a' }, blocks: [] };
const [nobody, never] = ['U0NOBODY', '1700000000.000001'];

/** Calls that no correct bot makes; each is refused and recorded as a breach. */
const breaches: [method: string, error: string, args: Json][] = [
  ['chat.shout', 'unknown_method', {}],
  ['chat.postMessage', 'channel_not_found', { ...said, channel: 'C0NOWHERE' }],
  ['chat.postMessage', 'cannot_dm_bot', { ...said, channel: 'U0INTAKE' }],
  ['chat.postMessage', 'no_text', support],
  ['chat.postMessage', 'msg_too_long', { ...support, text: 'x'.repeat(40_001) }],
  ['chat.postMessage', 'invalid_blocks', { ...said, blocks: [section('')] }],
  ['chat.postMessage', 'invalid_blocks_format', { ...said, blocks: '[{' }],
  ['chat.postMessage', 'msg_blocks_too_long', { ...said, blocks: [long, long, long, long, long] }],
  ['chat.postMessage', 'invalid_thread_ts', { ...said, thread_ts: '17' }],
  ['chat.postMessage', 'thread_not_found', { ...said, thread_ts: never }],
  ['chat.postMessage', 'invalid_arguments', { ...said, reply_broadcast: true }],
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

/** Refusals that depend only on the workspace: a channel without the bot, people's DM, an archived channel, a guest. */
const answers: typeof breaches = [
  ['chat.postMessage', 'not_in_channel', { ...said, channel: 'C0RANDOM' }],
  ['chat.postMessage', 'channel_not_found', { ...said, channel: 'C0SECRET' }],
  ['chat.postMessage', 'channel_not_found', { ...said, channel: 'D0ANABEN' }],
  ['chat.postMessage', 'is_archived', { ...said, channel: 'C0OLDNEWS' }],
  ['chat.update', 'is_inactive', { ...said, channel: 'C0OLDNEWS', ts: never }],
  ['chat.postEphemeral', 'user_not_in_channel', { ...said, user: 'U0GUEST' }],
  ['chat.unfurl', 'cannot_find_channel', { channel: 'C0SECRET', ts: never, unfurls: { a: PREVIEW } }],
  ['conversations.info', 'channel_not_found', { channel: 'C0SECRET' }],
];

async function expectRefused(method: string, error: string, args: Json, breached: number): Promise<void> {
  expect(await call(method, args)).toMatchObject({ status: 200, ok: false, error });
  expect(slack.records.breaches).toHaveLength(breached);
  expect(slack.records.calls).toMatchObject([{ method, answer: { ok: false, error } }]);
}

test.each(breaches)('%s is refused as a breach: %s, %j', (...call) => expectRefused(...call, 1));
test.each(answers)('%s is refused: %s, %j', (...call) => expectRefused(...call, 0));

test('a refusal of blocks says where and why', async () => {
  const answer = await call('chat.postMessage', {
    ...support,
    text: 'a',
    blocks: [section('x'.repeat(3001))],
  });
  expect(answer.response_metadata).toEqual({
    messages: [expect.stringMatching(/^\[ERROR\] .*3000.* \[json-pointer:\/blocks\/0\/text\/text\]$/)],
  });
});

test('tokens are checked', async () => {
  const withToken = (token: string | null) => call('auth.test', {}, token);
  expect(await withToken(null)).toMatchObject({ ok: false, error: 'not_authed' });
  expect(await withToken('xoxb-other')).toMatchObject({ ok: false, error: 'invalid_auth' });
  expect(await withToken(slack.botToken)).toMatchObject({
    ok: true,
    user_id: 'U0SNAPSHOT',
    bot_id: 'B0SNAPSHOT',
  });
});

test('the bot can edit only its own, visible messages, with at most 4,000 bytes; text alone removes the blocks', async () => {
  const said = await slack.say({ text: 'hello' });
  const update = (args: Json) => call('chat.update', { ...support, text: 'b', ...args });
  expect(await update({ ts: said.message.ts })).toMatchObject({ error: 'cant_update_message' });
  const hidden = await call('chat.postEphemeral', { ...support, user: 'U0ANA', text: 'psst' });
  expect(await update({ ts: hidden.message_ts })).toMatchObject({ error: 'message_not_found' });
  const { ts } = await call('chat.postMessage', { ...support, text: 'a', blocks: [section('a')] });
  expect(await update({ ts, text: 'x'.repeat(4001) })).toMatchObject({ error: 'msg_too_long' });
  expect(await update({ ts, text: `${'鍵'.repeat(1_333)}é` })).toMatchObject({ error: 'msg_too_long' });
  expect(slack.records.breaches).toHaveLength(4);
  expect(await update({ ts, text: `${'鍵'.repeat(1_333)}x` })).toMatchObject({ ok: true });
  expect(await update({ ts })).toMatchObject({ ok: true, ts, text: 'b' });
  expect(slack.messages('#support').at(-1)).toMatchObject({ text: 'b', blocks: [], edited: true });
  expect(await call('chat.delete', { ...support, ts })).toMatchObject({ ok: true });
  expect(await update({ ts })).toMatchObject({ error: 'message_not_found' });
  expect(slack.records.breaches).toHaveLength(4);
});

test('an ephemeral message in a thread is shown only if the thread has a reply', async () => {
  const { message } = await slack.say({ text: 'hello' });
  const whisper = () =>
    call('chat.postEphemeral', { ...support, user: 'U0ANA', text: 'psst', thread_ts: message.ts });
  expect(await whisper()).toMatchObject({ ok: true });
  expect(slack.messages('#support').filter(({ ephemeral }) => ephemeral)).toEqual([]);
  expect(slack.records.breaches).toEqual([expect.stringContaining('nobody sees it')]);
  await slack.say({ text: 'a reply', threadTs: message.ts });
  const { message_ts } = await whisper();
  expect(slack.messages('#support').at(-1)).toMatchObject({ ts: message_ts, threadTs: message.ts });
  expect(slack.records.breaches).toHaveLength(1);
});

test('history takes the id of a conversation, not of a person', async () => {
  await call('chat.postMessage', { channel: 'U0ANA', text: 'a' });
  expect(await call('conversations.history', { channel: 'U0ANA' })).toMatchObject({
    error: 'channel_not_found',
  });
  expect(await call('conversations.history', { channel: 'D0ANABOT' })).toMatchObject({
    ok: true,
    messages: [{ text: 'a' }],
  });
});

test.each([
  { name: 'a channel', args: { text: 'see <!channel>' } },
  { name: 'a labelled group', args: { text: 'a', blocks: [section('<!subteam^S1|@oncall>')] } },
  { name: 'a stranger', args: { text: 'hello <@U0NOBODY>' } },
  { name: 'names, by parsing', args: { text: 'a', parse: 'full' } },
])('paging $name is a breach', async ({ args }) => {
  expect(await call('chat.postMessage', { ...support, ...args })).toMatchObject({ ok: true });
  expect(slack.records.breaches).toEqual([expect.stringContaining('paged: ')]);
});

test('mentions of existing people, escaped markup and plain text are no breach', async () => {
  const plain = { type: 'header', text: { type: 'plain_text', text: '<!channel>' } };
  await call('chat.postMessage', { ...support, text: '<@U0ANA> &lt;!channel&gt;', blocks: [plain] });
  expect(slack.records.breaches).toEqual([]);
});

test('blocks without text are posted, and are a breach', async () => {
  expect(await call('chat.postMessage', { ...support, blocks: [section('a')] })).toMatchObject({
    ok: true,
  });
  expect(slack.records.breaches).toEqual(['chat.postMessage: blocks without a text for notifications']);
});
