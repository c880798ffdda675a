import { expect } from 'vitest';
import type { Reply } from '../emulators/diagnostics-service/types.ts';
import {
  ask,
  ended,
  offers,
  reachedBy,
  test as sequential,
  shown,
  stumble,
} from '../support/conversation.ts';

const test = sequential.concurrent;

test('A 429 is obeyed to the second that it names', async ({ open }) => {
  const world = await open();
  world.service.nextAnswers([{ status: 429, headers: { 'retry-after': '1' } }]);
  expect((await ask(world, '1012')).text).toContain('1 hit');
  const [first, second] = world.service.records.requests;
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('A 429 is obeyed to the date that it names', async ({ open }) => {
  const world = await open();
  const date = new Date(Date.now() + 1_500).toUTCString();
  world.service.nextAnswers([{ status: 429, headers: { 'retry-after': date } }]);
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(world.service.records.requests[1]?.arrivedAt).toBeGreaterThanOrEqual(Date.parse(date));
});

test('A 429 that names a long time is reported at once, and no request is sent before that time, for anybody', async ({
  open,
}) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.05' } });
  world.service.nextAnswers([{ status: 429, headers: { 'retry-after': '900' } }]);
  const message = await stumble(world, '1012');
  expect(message.text).toContain('pause its requests');
  expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
  await world.restart();
  expect((await stumble(world, '1002')).text).toContain('pause its requests');
  // Both waits end long before that time.
  for (const { text } of await ended(world, 2)) expect(text).toMatch(/still no result.*pause its requests/);
  expect(world.service.records.requests).toHaveLength(1);
});

test('A snapshot whose 202 names a time is not requested before that time', async ({ open }) => {
  const world = await open();
  world.service.nextAnswers([{ status: 202, headers: { 'retry-after': '1' } }]);
  await world.slack.command({ text: '1012' });
  await shown(world, '1 hit');
  const [first, second] = world.service.records.requests;
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1_000);
  expect(world.service.records.requests).toHaveLength(2);
});

const QUICK_RETRIES = { retries: 3, firstDelayMs: 5, longestDelayMs: 20, maxRetryAfterMs: 100 };

test.for(['0', '0.01', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'A 429 that names no time (%s) is asked four times, then less often',
  async (after, { open }) => {
    const world = await open({ timing: { retry: QUICK_RETRIES } });
    const answer: Reply = { status: 429, headers: { 'retry-after': after } };
    world.service.nextAnswers([answer, answer, answer, answer]);
    expect((await stumble(world, '1012')).text).toContain('pause its requests');
    await shown(world, '1 hit');
    expect(reachedBy(world, 'pause its requests').requests).toBe(4);
    expect(world.service.records.requests).toHaveLength(5);
  },
);

test.for(['soon', '-5', '', '5 apples'])(
  'A 429 whose Retry-After can not be read (%j) is never asked again at once',
  async (after, { open }) => {
    const variables = { WAIT_LIMIT_MINUTES: '0.05' };
    const world = await open({ timing: { retry: QUICK_RETRIES }, variables });
    world.service.nextAnswers([{ status: 429, headers: { 'retry-after': after } }]);
    expect((await stumble(world, '1012')).text).toContain('pause its requests');
    // It counts as five seconds, and the wait ends before.
    await ended(world, 1);
    expect(world.service.records.requests).toHaveLength(1);
  },
);
