import { afterEach, beforeEach, expect, test } from 'vitest';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { freePort } from '../support/free-port.ts';
import { ask } from './asking.ts';
import { BotDied, type BotState, botProcess } from './bot-process.ts';
import { type DemoWorld, openDemoWorld } from './demo-world.ts';
import { readManifest } from './manifest.ts';
import { meaningOf } from './reading.ts';

let world: DemoWorld;
beforeEach(async () => {
  world = await openDemoWorld({ mode: 'http', manifest: readManifest() });
});
afterEach(() => world.close());

test('a bot that is killed in a wait and started again answers', async () => {
  const states: BotState[] = [];
  world.bot.on((state) => states.push(state));
  world.service.shelve('7001', {
    title: 'Ready soon',
    purpose: 'Ready at the second look.',
    document: realisticDocument,
    processing: { forMs: 1_000 },
  });
  await world.bot.start();
  const isWaiting = Promise.withResolvers<void>();
  const answered = ask(world.slack, { command: '/snapshot 7001 hit', channel: 'support', user: 'ana' }, () =>
    isWaiting.resolve(),
  );
  await isWaiting.promise;
  await world.bot.kill();
  await world.bot.start();
  expect(meaningOf(await answered)).toBe('result');
  expect(states).toEqual(['starting', 'running', 'stopped', 'starting', 'running']);
  expect([...world.slack.records.breaches, ...world.service.records.breaches]).toEqual([]);
});

test('a bot that ends by itself says why', async () => {
  const bot = botProcess({
    port: await freePort(),
    directory: process.cwd(),
    variables: { LOG_LEVEL: 'loud' },
  });
  await expect(bot.start()).rejects.toThrow(BotDied);
  expect(bot.state).toBe('died');
  expect(bot.lastLines.join('\n')).toContain('LOG_LEVEL is none of');
});
