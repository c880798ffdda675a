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

test('tokens are checked', async () => {
  const call = (token: string | null) => bareBot.call('auth.test', {}, token);
  expect(await call(null)).toMatchObject({ ok: false, error: 'not_authed' });
  expect(await call('xoxb-other')).toMatchObject({ ok: false, error: 'invalid_auth' });
  expect(await call(bareBot.slack.botToken)).toMatchObject({
    ok: true,
    user_id: 'U0SNAPSHOT',
    bot_id: 'B0SNAPSHOT',
  });
});

test('the bot can edit only its own, visible messages, with at most 4,000 bytes; text alone removes the blocks', async () => {
  const said = await bareBot.slack.say({ text: 'hello' });
  const update = (args: Json) => bareBot.call('chat.update', { ...support, text: 'b', ...args });
  expect(await update({ ts: said.message.ts })).toMatchObject({ error: 'cant_update_message' });
  const hidden = await bareBot.call('chat.postEphemeral', { ...support, user: 'U0ANA', text: 'psst' });
  expect(await update({ ts: hidden.message_ts })).toMatchObject({ error: 'message_not_found' });
  const { ts } = await bareBot.call('chat.postMessage', { ...support, text: 'a', blocks: [section('a')] });
  expect(await update({ ts, text: 'x'.repeat(4001) })).toMatchObject({ error: 'msg_too_long' });
  expect(await update({ ts, text: `${'鍵'.repeat(1_333)}é` })).toMatchObject({ error: 'msg_too_long' });
  expect(bareBot.slack.records.breaches).toHaveLength(4);
  expect(await update({ ts, text: `${'鍵'.repeat(1_333)}x` })).toMatchObject({ ok: true });
  expect(await update({ ts })).toMatchObject({ ok: true, ts, text: 'b' });
  expect(bareBot.slack.messages('#support').at(-1)).toMatchObject({ text: 'b', blocks: [], edited: true });
  expect(await bareBot.call('chat.delete', { ...support, ts })).toMatchObject({ ok: true });
  expect(await update({ ts })).toMatchObject({ error: 'message_not_found' });
  expect(bareBot.slack.records.breaches).toHaveLength(4);
});

test('an ephemeral message in a thread is shown only if the thread has a reply', async () => {
  const { message } = await bareBot.slack.say({ text: 'hello' });
  const whisper = () =>
    bareBot.call('chat.postEphemeral', { ...support, user: 'U0ANA', text: 'psst', thread_ts: message.ts });
  expect(await whisper()).toMatchObject({ ok: true });
  expect(bareBot.slack.messages('#support').filter(({ ephemeral }) => ephemeral)).toEqual([]);
  expect(bareBot.slack.records.breaches).toEqual([expect.stringContaining('nobody sees it')]);
  await bareBot.slack.say({ text: 'a reply', threadTs: message.ts });
  const { message_ts } = await whisper();
  expect(bareBot.slack.messages('#support').at(-1)).toMatchObject({ ts: message_ts, threadTs: message.ts });
  expect(bareBot.slack.records.breaches).toHaveLength(1);
});

test('history takes the id of a conversation, not of a person', async () => {
  await bareBot.call('chat.postMessage', { channel: 'U0ANA', text: 'a' });
  expect(await bareBot.call('conversations.history', { channel: 'U0ANA' })).toMatchObject({
    error: 'channel_not_found',
  });
  expect(await bareBot.call('conversations.history', { channel: 'D0ANABOT' })).toMatchObject({
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
  expect(await bareBot.call('chat.postMessage', { ...support, ...args })).toMatchObject({ ok: true });
  expect(bareBot.slack.records.breaches).toEqual([expect.stringContaining('paged: ')]);
});

test('mentions of existing people, escaped markup and plain text are no breach', async () => {
  const plain = { type: 'header', text: { type: 'plain_text', text: '<!channel>' } };
  await bareBot.call('chat.postMessage', { ...support, text: '<@U0ANA> &lt;!channel&gt;', blocks: [plain] });
  expect(bareBot.slack.records.breaches).toEqual([]);
});

test('blocks without text are posted, and are a breach', async () => {
  expect(await bareBot.call('chat.postMessage', { ...support, blocks: [section('a')] })).toMatchObject({
    ok: true,
  });
  expect(bareBot.slack.records.breaches).toEqual([
    'chat.postMessage: blocks without a text for notifications',
  ]);
});
