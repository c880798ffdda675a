import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ask, ended, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { advanceClock, HOUR_MS } from '../support/following.ts';
import { READY } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';

const test = sequential.concurrent;

test('Restored data without its key file ends the start, and no new key is made; with the key all goes on', async ({
  open,
}) => {
  const world = await open({ variables: { STATE_KEY: '' } });
  await beginWait(world);
  await world.stopBot();
  const file = join(world.dataDir, 'state.key');
  const kept = `${file}.kept`;
  renameSync(file, kept);
  await expect(world.restart()).rejects.toThrow(`${file} is missing, and what is stored was sealed`);
  expect(existsSync(file)).toBe(false);
  world.service.shelve('7001', READY);
  // The message names two repairs. The test tries both.
  await world.restart({ STATE_KEY: readFileSync(kept, 'utf8').trim() });
  await shown(world, '1 hit');
  await world.stopBot();
  renameSync(kept, file);
  await world.restart({ STATE_KEY: '' });
  expect((await ask(world, '1012')).text).toContain('1 hit');
});

test('The interval after a 202 holds across a restart, for everybody', async ({ open }) => {
  const world = await open({ timing: { intervalMs: 4_000 }, service: { waitMs: 4_000 } });
  await beginWait(world);
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
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '30' } });
  await beginWait(world);
  await advanceClock(world, HOUR_MS / 2, { WAIT_LIMIT_MINUTES: '60' });
  expect((await shown(world, 'still not ready')).text).toContain('Snapshot 7001');
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
