import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { BotDied, botProcess } from './bot-process.ts';

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
