import { describe, expect } from 'vitest';
import { string } from '../emulators/slack/json.ts';
import type { ApiCall, VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { DM, fromBot, reads, small } from '../support/bot-messages.ts';
import { finals, SUPPORT, test as sequential, shown, waits } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { SLOW } from '../support/shelved.ts';
import { STATE_KEY } from '../support/upstreams.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
/** After twelve seconds another replica, or the same one, takes the job anew. */
const LONGER_THAN_A_LOCK_MS = 14_000;
/** The bot gives a post up after ten seconds. */
const NEARLY_TOO_LATE_MS = 9_500;
const STANDSTILL_MS = 6_500;
const LONGER_STANDSTILL_MS = 9_000;
/** Within one period of the lease of a first step. */
const SLOWLY_MS = 1_700;
/** The bot gives a call up after ten seconds. */
const LONGER_THAN_A_CALL_MS = 13_000;
/** What a conversation or the whole workspace can refuse for good; the last one is not known to anybody. */
const REFUSALS = ['ekm_access_denied', 'a_code_of_next_year'];

function calls({ slack }: World, method: string): ApiCall[] {
  return slack.records.calls.filter((call) => call.method === method);
}

function refuse({ slack }: World, error: string, ...methods: string[]): void {
  for (const method of methods) slack.failNext(method, ...Array(9).fill({ error }));
}

function undeliverable({ log }: World): string[] {
  return log.filter((line) => line.includes('Slack refused the answer'));
}

/** A lookup that waits in a message of its own. */
async function waiting(world: World): Promise<VisibleMessage> {
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  return shown(world, 'Snapshot 7001 is still being processed');
}

test.for(REFUSALS)(
  'A post that is refused with %s is answered to the one who asked',
  async (error, { world }) => {
    world.slack.failNext('chat.postMessage', { error });
    await world.slack.command({ text: '1012' });
    expect(await reads(world, '1 hit')).toMatchObject({ ephemeral: true });
    await atRest(world.address());
    expect(fromBot(world)).toHaveLength(1);
    expect(undeliverable(world)).toEqual([]);
  },
);

test.for(REFUSALS)(
  'An edit that is refused with %s, and the post after it, end privately',
  async (error, { world }) => {
    await waiting(world);
    refuse(world, error, 'chat.update', 'chat.postMessage');
    world.service.shelve('7001', small());
    expect(await reads(world, '1 hit')).toMatchObject({ ephemeral: true });
    await atRest(world.address());
    expect(undeliverable(world)).toEqual([]);
  },
);

test('During a wait a refusal comes once; then the wait and its answer are private', async ({ world }) => {
  world.service.shelve('7001', SLOW);
  refuse(world, 'token_revoked', 'chat.postMessage');
  await world.slack.command({ text: '7001' });
  await eventually(() => expect(world.service.records.requests.length).toBeGreaterThan(3));
  expect(calls(world, 'chat.postMessage')).toHaveLength(1);
  world.service.shelve('7001', small());
  await reads(world, '1 hit');
  expect(fromBot(world).map(({ ephemeral }) => ephemeral)).toEqual([true, true]);
});

test.for(['external_channel_migrating', 'ratelimited'])(
  'A post that Slack refuses temporarily (%s) is tried again in the same channel',
  async (error, { world }) => {
    world.slack.failNext('chat.postMessage', { error });
    await world.slack.command({ text: '1012' });
    const answer = await reads(world, '1 hit');
    expect(answer.ephemeral).toBeUndefined();
    expect(calls(world, 'response_url')).toEqual([]);
  },
);

test('A refusal that stays temporary past the end of the wait leads to a private answer', async ({
  open,
}) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.01' } });
  refuse(world, 'external_channel_migrating', 'chat.postMessage');
  await world.slack.command({ text: '1012' });
  expect(await reads(world, '1 hit')).toMatchObject({ ephemeral: true });
});

test('A lookup whose answer Slack refuses everywhere ends, and is logged and counted as undeliverable', async ({
  world,
}) => {
  refuse(world, 'channel_not_found', 'chat.postMessage');
  world.slack.failNext('response_url', { status: 404 });
  await world.slack.command({ text: '1012' });
  await eventually(() => expect(undeliverable(world)).toHaveLength(1));
  await atRest(world.address());
  // The channel, then the direct message, each once.
  expect(calls(world, 'chat.postMessage').map(({ args }) => args.channel)).toEqual([SUPPORT, 'U0ANA']);
  const metrics = await (await fetch(`${world.address()}/metrics`)).text();
  expect(metrics).toMatch(/^snapshot_bot_undeliverable\w* 1$/m);
});

test.for(['edit_window_closed'])(
  'A message that can be edited no more (%s) gives way to a new one',
  async (error, { world }) => {
    const old = await waiting(world);
    refuse(world, error, 'chat.update');
    world.service.shelve('7001', small());
    const answer = await shown(world, '1 hit');
    expect(answer.ts).not.toBe(old.ts);
    await world.slack.waitFor(() => (waits(world).length === 0 ? true : undefined), 'the old one to go');
    await atRest(world.address());
    expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  },
);

test('A result with long titles in Japanese is edited into its message: Slack counts bytes', async ({
  world,
}) => {
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001 miss' });
  const old = await shown(world, 'Snapshot 7001 is still being processed');
  const diagnostics = Array.from({ length: 25 }, (_, index) => ({
    name: `D${1000 + index}`,
    match: false,
    importance: 'HIGH',
    header: '設定ユーティリティの脆弱性により再起動が繰り返される'.repeat(7),
  }));
  world.service.shelve('7001', { title: 'Japanese', purpose: 'Long titles.', document: { diagnostics } });
  const answer = await shown(world, /25 checks/);
  expect(answer.ts).toBe(old.ts);
  expect(Buffer.byteLength(answer.text)).toBeGreaterThan(3_000);
  expect(calls(world, 'chat.update').map(({ answer: said }) => said)).toEqual([
    expect.objectContaining({ ok: true }),
  ]);
});

test('An edit that Slack refuses with the least text too is followed by a new message', async ({ world }) => {
  const old = await waiting(world);
  refuse(world, 'msg_too_long', 'chat.update');
  world.service.shelve('7001', small());
  const answer = await shown(world, '1 hit');
  expect(answer.ts).not.toBe(old.ts);
  // Its text is short already.
  expect(calls(world, 'chat.update').map(({ args }) => args.blocks === undefined)).toEqual([false, true]);
  await atRest(world.address());
  expect(finals(world)).toHaveLength(1);
});

test('A direct message of last resort whose confirmation is lost is found, and not sent again', async ({
  world,
}) => {
  world.slack.failNext('response_url', { status: 404 });
  world.slack.failNext('chat.postMessage', { error: 'not_in_channel' }, 'lost-response');
  await world.slack.command({ text: '1012' });
  await reads(world, '1 hit', { channel: DM });
  await atRest(world.address());
  expect(fromBot(world, DM)).toHaveLength(1);
  expect(calls(world, 'conversations.history').map(({ args }) => string(args.channel))).toEqual([DM]);
});

test('A post that Slack does after the bot has given it up is found, and not sent again', async ({
  world,
}) => {
  world.slack.failNext('chat.postMessage', { doneAfterMs: LONGER_THAN_A_CALL_MS });
  await world.slack.command({ text: '1012' });
  await eventually(() => expect(calls(world, 'chat.postMessage')).toHaveLength(1));
  await atRest(world.address(), 40_000);
  expect(finals(world)).toHaveLength(1);
  expect(calls(world, 'chat.postMessage')).toHaveLength(1);
});

test('An edit that Slack does after the bot has given it up does not cover the answer', async ({ world }) => {
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  const { ts } = await shown(world, 'Snapshot 7001 is still being processed');
  world.slack.failNext('chat.update', { doneAfterMs: LONGER_THAN_A_CALL_MS });
  world.service.shelve('7001', { ...SLOW, processing: { forMs: 'forever', reasons: ['Unpacking.'] } });
  await eventually(() => expect(calls(world, 'chat.update')).toHaveLength(1));
  world.service.shelve('7001', small());
  await atRest(world.address(), 60_000);
  await eventually(() => expect(calls(world, 'chat.update')[0]).toHaveProperty('ms'));
  const present = world.slack.messages(SUPPORT).find((message) => message.ts === ts);
  expect(present?.text).toContain('1 hit');
});

test('A private wait leaves the last use of its response URL to the answer, however often the reason changes', async ({
  world,
}) => {
  const reasons = Array.from({ length: 9 }, (_, index) => `Step ${index}.`);
  world.service.shelve('7001', { title: 'Gone', purpose: 'Not there yet.', status: 404 });
  await world.slack.command({ text: '7001', channel: 'C0SECRET' });
  const fault = await reads(world, 'was not found', { channel: 'C0SECRET' });
  world.service.shelve('7001', SLOW);
  world.service.nextAnswers(
    reasons.map((body) => ({ status: 202, headers: { 'content-type': 'text/plain' }, body })),
    '7001',
  );
  await world.slack.click({ message: fault, actionId: 'ask-again' });
  await eventually(() => expect(world.service.records.requests.length).toBeGreaterThan(10));
  world.service.shelve('7001', small());
  const answer = await reads(world, '1 hit', { channel: 'C0SECRET' });
  expect(answer.ts).toBe(fault.ts);
  // One use of the command's response URL; then four for the wait, and the fifth for the answer.
  expect(calls(world, 'response_url')).toHaveLength(1 + 5);
  expect(answer.history.at(-1)?.text).toContain('Step 3.');
});

describe.runIf(has('redis-server'))('An answer through a response URL', () => {
  test('comes once, though Redis stands still just as Slack takes it, until the lock of its job has run out', async ({
    open,
    redis: start,
  }) => {
    const redis = await start();
    const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY } });
    const stop = world.slack.on((event) => {
      if (event.type !== 'call' || event.call.method !== 'response_url') return;
      stop();
      redis.hang();
      setTimeout(() => redis.goOn(), LONGER_THAN_A_LOCK_MS);
    });
    await world.slack.command({ text: '1012', channel: 'C0SECRET' });
    await atRest(world.address(), 40_000);
    expect(calls(world, 'response_url')).toHaveLength(1);
  });

  test.for(['a slow read', 'a wait'])(
    'comes once after %s, though Redis stands still while Slack is slow to take it',
    async (after, { open, redis: start }) => {
      const redis = await start();
      const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY } });
      const isWait = after === 'a wait';
      if (isWait) world.service.shelve('1012', SLOW);
      else world.service.switches.latencyMs = SLOWLY_MS;
      const answers = () =>
        calls(world, 'response_url').filter(({ args }) => / hits? /.test(string(args.text)));
      const stop = world.slack.on(() => {
        if (answers().length === 0) return;
        stop();
        const lateMs = [NEARLY_TOO_LATE_MS];
        world.slack.answerAfter(() => lateMs.pop() ?? 0);
        redis.hang();
        setTimeout(() => redis.goOn(), isWait ? STANDSTILL_MS : LONGER_STANDSTILL_MS);
      });
      await world.slack.command({ text: '1012', channel: 'C0SECRET' });
      if (isWait) {
        await reads(world, 'still being processed', { channel: 'C0SECRET' });
        world.service.shelve('1012', small());
      }
      await eventually(() => expect(answers()).not.toEqual([]));
      await atRest(world.address(), 60_000);
      expect(answers()).toHaveLength(1);
    },
  );
});
