import { expect } from 'vitest';
import { measureRedisCommands } from '../structure/one-answer.ts';
import { test } from '../support/conversation.ts';
import { has } from '../support/needs.ts';

/** BullMQ alone needs about 60 commands to add, take and finish a job. */
const MOST = 95;

test.runIf(has('redis-server'))('One ready answer takes few commands of Redis', async ({ redis: start }) => {
  expect(await measureRedisCommands(await start())).toBeLessThanOrEqual(MOST);
});
