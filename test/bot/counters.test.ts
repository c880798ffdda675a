import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { atRest, metricsOf } from '../support/at-rest.ts';
import { ask, shown, test } from '../support/conversation.ts';
import { beginWait } from '../support/slack-troubles.ts';

const HELP = /^# HELP (snapshot_bot_\w+) /gm;
const DOCUMENTED = /^\| `(snapshot_bot_\w+)` \|/gm;

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).toSorted();
}

test('docs/operate.md names each metric of a bot that runs, and no other one', async ({ open }) => {
  const documented = namesIn(readFileSync('docs/operate.md', 'utf8'), DOCUMENTED);
  expect(documented).toEqual(namesIn(await metricsOf(await open()), HELP));
});

test('A step that is retried is counted', async ({ world }) => {
  world.slack.failNext('chat.postMessage', { error: 'internal_error' });
  await ask(world, '1012');
  expect(await metricsOf(world)).toContain('snapshot_bot_retries_total 1\n');
});

test('A lookup in whose step the process died again and again is counted as a bug, told with what finds its line in the log', async ({
  world,
}) => {
  await beginWait(world, '7002');
  await world.stopBot();
  const database = new DatabaseSync(join(world.dataDir, 'snapshot-bot.sqlite'));
  database.exec('UPDATE jobs SET begun = 4');
  database.close();
  await world.restart();
  await atRest(world.address());
  expect(await metricsOf(world)).toContain('snapshot_bot_bugs_total 1\n');
  const { text } = await shown(world, 'A bug in the bot');
  const [told] = /\b[\da-f]{8}\b/.exec(text) ?? ['none'];
  const found = world.log.map((line) => JSON.parse(line)).filter(({ reference }) => reference === told);
  expect(found.map(({ msg }) => msg)).toContain('a lookup failed because of a bug');
});

test('A stored value that cannot be read with the present key is counted', async ({ world }) => {
  await ask(world, '1012');
  await world.restart({ STATE_KEY: Buffer.alloc(32, 1).toString('base64') });
  await ask(world, '1002');
  await world.restart({ STATE_KEY: Buffer.alloc(32, 2).toString('base64') });
  await world.slack.openHome('U0ANA');
  expect(await metricsOf(world)).toMatch(/^snapshot_bot_unreadable_state_total [1-9]/m);
});

test('Requests that wait for SERVICE_CONCURRENCY are counted', async ({ open }) => {
  const world = await open({ variables: { SERVICE_CONCURRENCY: '1' } });
  await ask(world, '1012');
  const release = world.service.hold();
  for (const text of ['1001', '1002', '1011']) await world.slack.command({ text });
  const waiting = () => metricsOf(world);
  await expect.poll(waiting).toContain('snapshot_bot_service_waiting_requests 2\n');
  release();
  await expect.poll(waiting).toContain('snapshot_bot_service_waiting_requests 0\n');
});
