import { expect } from 'vitest';
import { measureRedisCommands } from '../structure/one-answer.ts';
import { test } from '../support/conversation.ts';
import { has } from '../support/needs.ts';

/** Half of what BullMQ alone takes for a job that goes through its lists, and what the answer itself needs. */
const MOST = 50;

test.runIf(has('redis-server'))(
  'One ready answer takes few commands of Redis: its stored job is only a safety net',
  { timeout: 120_000 },
  async ({ redis: start }) => {
    expect(await measureRedisCommands(await start())).toBeLessThanOrEqual(MOST);
  },
);
