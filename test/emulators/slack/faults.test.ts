import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, startBench } from './testing/bare-bot.ts';

let clock = Date.UTC(2026, 10, 20);
let bench: Bench;
beforeEach(async () => {
  bench = await startBench({ now: () => clock });
});
afterEach(() => bench.close());

const support = { channel: 'C0SUPPORT' };

test('rate limits answer 429 with the seconds to wait, once they are switched on', async () => {
  const post = () => bench.call('chat.postMessage', { ...support, text: 'a' });
  bench.slack.setRateLimit({ burst: 2 });
  expect(await post()).toMatchObject({ ok: true });
  expect(await post()).toMatchObject({ ok: true });
  expect(await post()).toMatchObject({ status: 429, error: 'ratelimited' });
  clock += 1000;
  expect(await post()).toMatchObject({ ok: true });
  bench.slack.setRateLimit(undefined);
  expect(await post()).toMatchObject({ ok: true });
});

test('planned faults happen once each, in order', async () => {
  const post = () => bench.call('chat.postMessage', { ...support, text: 'a' });
  bench.slack.failNext('chat.postMessage', { error: 'is_archived' }, { status: 429, retryAfter: 7 }, 'reset');
  expect(await post()).toMatchObject({ ok: false, error: 'is_archived' });
  expect(await post()).toMatchObject({ status: 429 });
  await expect(post()).rejects.toThrow();
  expect(bench.slack.messages('support')).toEqual([]);
  bench.slack.failNext('*', 'lost-response');
  await expect(post()).rejects.toThrow();
  expect(bench.slack.messages('support')).toHaveLength(1);
  expect(await post()).toMatchObject({ ok: true });
  expect(bench.slack.records.breaches).toEqual([]);
});

test('a call that hangs ends when the emulator does', async () => {
  bench.slack.failNext('auth.test', 'hang');
  const hanging = bench.call('auth.test');
  await bench.slack.waitFor(() => bench.slack.records.calls[0], 'the call');
  const outcome = expect(hanging).rejects.toThrow();
  await bench.slack.close();
  await outcome;
});
