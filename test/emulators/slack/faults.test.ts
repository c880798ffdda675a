import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BareBot, startBareBot } from './testing/bare-bot.ts';

let clock = Date.UTC(2026, 10, 20);
let bareBot: BareBot;
beforeEach(async () => {
  bareBot = await startBareBot({ now: () => clock });
});
afterEach(() => bareBot.close());

const support = { channel: 'C0SUPPORT' };

test('rate limits answer 429 with the seconds to wait, once they are switched on', async () => {
  const post = () => bareBot.call('chat.postMessage', { ...support, text: 'a' });
  bareBot.slack.setRateLimit({ burst: 2 });
  expect(await post()).toMatchObject({ ok: true });
  expect(await post()).toMatchObject({ ok: true });
  expect(await post()).toMatchObject({ status: 429, error: 'ratelimited' });
  clock += 1000;
  expect(await post()).toMatchObject({ ok: true });
  bareBot.slack.setRateLimit(undefined);
  expect(await post()).toMatchObject({ ok: true });
});

test('planned faults happen once each, in order', async () => {
  const post = () => bareBot.call('chat.postMessage', { ...support, text: 'a' });
  bareBot.slack.failNext(
    'chat.postMessage',
    { error: 'is_archived' },
    { status: 429, retryAfter: 7 },
    'reset',
  );
  expect(await post()).toMatchObject({ ok: false, error: 'is_archived' });
  expect(await post()).toMatchObject({ status: 429 });
  await expect(post()).rejects.toThrow();
  expect(bareBot.slack.messages('support')).toEqual([]);
  bareBot.slack.failNext('*', 'lost-response');
  await expect(post()).rejects.toThrow();
  expect(bareBot.slack.messages('support')).toHaveLength(1);
  expect(await post()).toMatchObject({ ok: true });
  expect(bareBot.slack.records.breaches).toEqual([]);
});

test('a call that hangs ends when the emulator does', async () => {
  bareBot.slack.failNext('auth.test', 'hang');
  const hanging = bareBot.call('auth.test');
  await bareBot.slack.waitFor(() => bareBot.slack.records.calls[0], 'the call');
  const outcome = expect(hanging).rejects.toThrow();
  await bareBot.slack.close();
  await outcome;
});
