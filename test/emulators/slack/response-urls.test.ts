import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BareBot, startBareBot } from './testing/bare-bot.ts';

const MINUTE = 60_000;
let clock = 0;
let bareBot: BareBot;

beforeEach(async () => {
  clock = Date.UTC(2026, 10, 20);
  bareBot = await startBareBot({ now: () => clock });
});
afterEach(() => bareBot.close());

async function commandUrl(channel = 'secret'): Promise<unknown> {
  return (await bareBot.slack.command({ text: '1', channel })).payload.response_url;
}

const texts = (viewer?: string) => bareBot.slack.messages('secret', viewer).map((message) => message.text);

test('five posts, then used_url', async () => {
  const url = await commandUrl();
  for (const text of '12345') await bareBot.respond(url, { text });
  expect(await bareBot.respond(url, { text: '6' })).toEqual({ status: 404, body: 'used_url' });
  expect(texts()).toEqual(['1', '2', '3', '4', '5']);
  expect(bareBot.slack.records.breaches).toEqual(['response_url: a sixth post']);
});

test('a post of a process that is killed right after it takes effect, and nobody hears so', async () => {
  const url = new URL(String(await commandUrl()));
  const body = JSON.stringify({ text: 'the last words' });
  const head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\n`;
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  socket.destroy();
  await bareBot.slack.waitFor(() => texts()[0], 'the post');
  await bareBot.slack.waitFor(() => bareBot.slack.records.calls[0]?.ms, 'its end');
  await expect.poll(() => bareBot.slack.records.calls[0]).toMatchObject({ isUnheard: true });
});

test('thirty minutes, then expired_url', async () => {
  const url = await commandUrl();
  clock += 30 * MINUTE;
  expect(await bareBot.respond(url, { text: 'just in time' })).toMatchObject({ status: 200 });
  clock += 1;
  expect(await bareBot.respond(url, { text: 'late' })).toEqual({ status: 404, body: 'expired_url' });
});

test("a command's answer can't be replaced: `replace_original` posts another one", async () => {
  const url = await commandUrl();
  await bareBot.respond(url, { text: 'working' });
  await bareBot.respond(url, { text: 'done', replace_original: true });
  expect(texts()).toEqual(['working', 'done']);
});

test.each([
  { body: { text: '' }, error: 'no_text' },
  { body: { text: 'a', blocks: [{ type: 'header' }] }, error: 'invalid_blocks' },
  { body: { text: 'a', thread_ts: '1.1' }, error: 'thread_not_found' },
])('a bad body is refused with $error', async ({ body, error }) => {
  const answer = await bareBot.respond(await commandUrl(), body);
  expect(answer.status).toBe(400);
  expect(answer.body).toContain(error);
  expect(bareBot.slack.records.breaches).toHaveLength(1);
  expect(texts()).toEqual([]);
});

test('a private answer in a thread is shown only if the thread has a reply', async () => {
  const { message } = await bareBot.slack.say({ text: 'hello', channel: 'secret' });
  const url = await commandUrl();
  const answer = { text: 'psst', thread_ts: message.ts };
  await bareBot.respond(url, answer);
  expect(texts()).toEqual(['hello']);
  expect(bareBot.slack.records.breaches).toEqual([expect.stringContaining('nobody sees it')]);
  await bareBot.slack.say({ text: 'a reply', channel: 'secret', threadTs: message.ts });
  await bareBot.respond(url, answer);
  expect(texts()).toEqual(['hello', 'a reply', 'psst']);
  expect(bareBot.slack.records.breaches).toHaveLength(1);
});

test('an unknown URL is a 404', async () => {
  const url = String(await commandUrl());
  expect(await bareBot.respond(`${url}x`, { text: 'a' })).toEqual({ status: 404, body: 'no_service' });
});
