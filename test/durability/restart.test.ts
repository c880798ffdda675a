import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { measures } from '../support/at-rest.ts';
import { ask, ended, finals, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { READY, SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;

test('A restore without the key file does not start, and all goes on with the key: none is made in its place', async ({
  open,
}) => {
  const world = await open({ variables: { STATE_KEY: '' } });
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, 'is still being processed');
  await world.stopBot();
  const file = join(world.dataDir, 'state.key');
  const kept = `${file}.kept`;
  renameSync(file, kept);
  await expect(world.restart()).rejects.toThrow(`${file} is missing, and what is stored was sealed`);
  expect(existsSync(file)).toBe(false);
  world.service.shelve('7001', READY);
  // Either repair that the message names.
  await world.restart({ STATE_KEY: readFileSync(kept, 'utf8').trim() });
  await shown(world, '1 hit');
  await world.stopBot();
  renameSync(kept, file);
  await world.restart({ STATE_KEY: '' });
  expect((await ask(world, '1012')).text).toContain('1 hit');
});

test('A replaced STATE_KEY is said at the start, by /readyz and the counter, and undone by both keys', async ({
  open,
}) => {
  const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const world = await open({ variables: { STATE_KEY: `${OLD}` } });
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, '7001 is still being processed');
  await world.restart({ STATE_KEY: `${NEW}` });
  expect(world.log.join('')).toMatch(/"level":"error"[^\n]*"setting":"STATE_KEY"[^\n]*no present key opens/);
  const reasons = [expect.objectContaining({ part: 'state key' })];
  const readiness = await fetch(`${world.address()}/readyz`);
  expect(await readiness.json()).toEqual({ ready: true, reasons });
  await measures(world, 'snapshot_bot_unreadable_state_total 1');
  world.service.shelve('7002', SLOW);
  await world.slack.command({ text: '7002' });
  await shown(world, '7002 is still being processed');
  world.service.shelve('7001', READY);
  world.service.shelve('7002', READY);
  await world.restart({ STATE_KEY: `${NEW},${OLD}` });
  await shown(world, 'Snapshot 7001 · ');
  await shown(world, 'Snapshot 7002 · ');
});

test('A lookup that waits at a stop goes on after the start, and ends in the same message, once', async ({
  world,
}) => {
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  const waiting = await shown(world, 'is still being processed');
  await world.stopBot();
  const asked = world.service.records.requests.length;
  world.service.shelve('7001', READY);
  expect(finals(world)).toEqual([]);
  await world.restart();
  const result = await shown(world, '1 hit');
  expect(result.ts).toBe(waiting.ts);
  expect(result.history).toHaveLength(1);
  await world.restart();
  await ask(world, '1002');
  expect(world.slack.messages(SUPPORT)).toHaveLength(2);
  expect(world.service.records.requests).toHaveLength(asked + 2);
  expect(world.service.records.logins).toHaveLength(1);
});

test('The interval after a 202 holds across a restart, also for whoever asks first then', async ({
  open,
}) => {
  const world = await open({ timing: { intervalMs: 4_000 }, service: { waitMs: 4_000 } });
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, 'is still being processed');
  world.service.shelve('7001', READY);
  await world.restart();
  await world.slack.command({ text: '7001', user: 'ben', channel: 'C0WARROOM' });
  await ended(world, 1);
  await ended(world, 1, 'C0WARROOM');
  const [first, second, ...more] = world.service.records.requests;
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(4_000);
  expect(more).toEqual([]);
});

test('A wait does not begin anew with a restart: its limit stays', async ({ open }) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.05' } });
  world.service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, 'is still being processed');
  await world.restart({ WAIT_LIMIT_MINUTES: '60' });
  expect((await shown(world, 'still not ready')).text).toContain('Snapshot 7001');
});

test('A command that was acknowledged just before the stop is answered, once', async ({ world }) => {
  world.service.switches.latencyMs = 200;
  const delivery = await world.slack.command({ text: '1012' });
  expect(delivery.acknowledged).toBe(true);
  await world.restart();
  const result = await shown(world, '1 hit');
  await ask(world, '1002');
  expect(world.slack.messages(SUPPORT).map(({ text }) => text)).toEqual([
    result.text,
    expect.stringContaining('180 checks'),
  ]);
});

test('A result that Slack did not take before a restart is delivered after it, once', async ({ world }) => {
  const { slack } = world;
  slack.failNext('chat.postMessage', { error: 'fatal_error' });
  await slack.command({ text: '1012' });
  await slack.waitFor(
    () =>
      slack.records.calls.find(({ answer }) =>
        answer === undefined ? false : JSON.stringify(answer).includes('fatal_error'),
      ),
    'Slack to refuse',
  );
  await world.restart();
  await shown(world, '1 hit');
  await ask(world, '1002');
  expect(slack.messages(SUPPORT)).toHaveLength(2);
});
