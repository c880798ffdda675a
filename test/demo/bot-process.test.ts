import { afterEach, beforeEach, expect, test } from 'vitest';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { freePort } from '../support/free-port.ts';
import { ask } from './asking.ts';
import { BotDied, type BotState, botProcess } from './bot-process.ts';
import { readManifest } from './manifest.ts';
import { meaningOf } from './reading.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ mode: 'http', manifest: readManifest() });
});
afterEach(() => stage.close());

test('a bot that is killed in a wait and started again answers', async () => {
  const states: BotState[] = [];
  stage.bot.on((state) => states.push(state));
  stage.service.shelve('7001', {
    title: 'Ready soon',
    purpose: 'Ready at the second look.',
    document: realisticDocument,
    processing: { forMs: 1_000 },
  });
  await stage.bot.start();
  const isWaiting = Promise.withResolvers<void>();
  const answered = ask(stage.slack, { command: '/snapshot 7001 hit', channel: 'support', user: 'ana' }, () =>
    isWaiting.resolve(),
  );
  await isWaiting.promise;
  await stage.bot.kill();
  await stage.bot.start();
  expect(meaningOf(await answered)).toBe('result');
  expect(states).toEqual(['starting', 'running', 'stopped', 'starting', 'running']);
  expect([...stage.slack.records.breaches, ...stage.service.records.breaches]).toEqual([]);
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
