import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { type Bench, startBench } from './testing/bare-bot.ts';

const MINUTE = 60_000;
let clock = 0;
let bench: Bench;

beforeEach(async () => {
  clock = Date.UTC(2026, 10, 20);
  bench = await startBench({ now: () => clock });
});
afterEach(() => bench.close());

async function commandUrl(channel = 'secret'): Promise<unknown> {
  return (await bench.slack.command({ text: '1', channel })).payload.response_url;
}

async function clicked(respondFirst: Json): Promise<unknown> {
  const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
  await bench.respond(await commandUrl(), {
    text: 'first',
    blocks: [{ type: 'actions', elements: [button] }],
    ...respondFirst,
  });
  const [message] = bench.slack.messages('secret');
  if (!message) throw new Error('no message');
  return (await bench.slack.click({ message, actionId: 'go' })).payload.response_url;
}

const texts = (viewer?: string) => bench.slack.messages('secret', viewer).map((message) => message.text);

test('an answer is for the asker alone, unless it says in_channel', async () => {
  const url = await commandUrl();
  expect(await bench.respond(url, { text: 'for me' })).toEqual({ status: 200, body: 'ok' });
  expect(await bench.respond(url, { text: 'for all', response_type: 'in_channel' })).toMatchObject({
    status: 200,
  });
  expect(texts()).toEqual(['for me', 'for all']);
  expect(texts('ben')).toEqual(['for all']);
});

test('five posts, then used_url', async () => {
  const url = await commandUrl();
  for (const text of '12345') await bench.respond(url, { text });
  expect(await bench.respond(url, { text: '6' })).toEqual({ status: 404, body: 'used_url' });
  expect(texts()).toEqual(['1', '2', '3', '4', '5']);
  expect(bench.slack.records.breaches).toEqual(['response_url: a sixth post']);
});

test('thirty minutes, then expired_url', async () => {
  const url = await commandUrl();
  clock += 30 * MINUTE;
  expect(await bench.respond(url, { text: 'just in time' })).toMatchObject({ status: 200 });
  clock += 1;
  expect(await bench.respond(url, { text: 'late' })).toEqual({ status: 404, body: 'expired_url' });
});

test("a command's answer cannot be replaced: it is posted again", async () => {
  const url = await commandUrl();
  await bench.respond(url, { text: 'working' });
  await bench.respond(url, { text: 'done', replace_original: true });
  expect(texts()).toEqual(['working', 'done']);
});

test.each([{}, { response_type: 'in_channel' }])('a click can replace its message: %j', async (first) => {
  const url = await clicked(first);
  expect(await bench.respond(url, { text: 'second', replace_original: true })).toEqual({
    status: 200,
    body: '{"ok":true}',
  });
  expect(bench.slack.messages('secret')).toMatchObject([
    { text: 'second', edited: true, history: [{ text: 'first' }] },
  ]);
});

test('a click can delete its message, and add an ephemeral one', async () => {
  const url = await clicked({});
  await bench.respond(url, { text: 'beside it' });
  expect(texts()).toEqual(['first', 'beside it']);
  expect(texts('ben')).toEqual([]);
  await bench.respond(url, { delete_original: true });
  expect(texts()).toEqual(['beside it']);
});

test.each([
  { body: { text: '' }, error: 'no_text' },
  { body: { text: 'a', blocks: [{ type: 'header' }] }, error: 'invalid_blocks' },
  { body: { text: 'a', thread_ts: '1.1' }, error: 'thread_not_found' },
])('a bad body is refused with $error', async ({ body, error }) => {
  const answer = await bench.respond(await commandUrl(), body);
  expect(answer.status).toBe(400);
  expect(answer.body).toContain(error);
  expect(bench.slack.records.breaches).toHaveLength(1);
  expect(texts()).toEqual([]);
});

test('a private answer in a thread is shown where the thread has a reply, and else to nobody', async () => {
  const { message } = await bench.slack.say({ text: 'hello', channel: 'secret' });
  const url = await commandUrl();
  const answer = { text: 'psst', thread_ts: message.ts };
  await bench.respond(url, answer);
  expect(texts()).toEqual(['hello']);
  expect(bench.slack.records.breaches).toEqual([expect.stringContaining('nobody sees it')]);
  await bench.slack.say({ text: 'a reply', channel: 'secret', threadTs: message.ts });
  await bench.respond(url, answer);
  expect(texts()).toEqual(['hello', 'a reply', 'psst']);
  expect(bench.slack.records.breaches).toHaveLength(1);
});

test('an unknown URL is nobody', async () => {
  const url = String(await commandUrl());
  expect(await bench.respond(`${url}x`, { text: 'a' })).toEqual({ status: 404, body: 'no_service' });
});

test('ephemeral messages are gone after a reload', async () => {
  await bench.respond(await commandUrl(), { text: 'a' });
  bench.slack.reload();
  expect(texts()).toEqual([]);
});
