import { expect } from 'vitest';
import { ask, ended, offers, reachedBy, test as sequential, shown, stumble } from './harness/conversation.ts';
import type { Reply } from './stand-ins/diagnostics-service/types.ts';

const test = sequential.concurrent;

test('A 429 is obeyed to the second that it names', async ({ open }) => {
  const workplace = await open();
  workplace.service.nextAnswers([{ status: 429, headers: { 'retry-after': '1' } }]);
  expect((await ask(workplace, '1012')).text).toContain('1 hit');
  const [first, second] = workplace.service.records.requests;
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('A 429 is obeyed to the date that it names', async ({ open }) => {
  const workplace = await open();
  const date = new Date(Date.now() + 1_500).toUTCString();
  workplace.service.nextAnswers([{ status: 429, headers: { 'retry-after': date } }]);
  expect((await ask(workplace, '1012')).text).toContain('1 hit');
  expect(workplace.service.records.requests[1]?.arrivedAt).toBeGreaterThanOrEqual(Date.parse(date));
});

test('A 429 that names a long time is told at once, and nothing is asked before it, whoever wants it', async ({
  open,
}) => {
  const workplace = await open({ variables: { WAIT_LIMIT_MINUTES: '0.01' } });
  workplace.service.nextAnswers([{ status: 429, headers: { 'retry-after': '900' } }]);
  const message = await stumble(workplace, '1012');
  expect(message.text).toContain('slow down');
  expect(offers(message)).toEqual(['cancel', 'tell-me-too']);
  await workplace.restart();
  expect((await stumble(workplace, '1002')).text).toContain('slow down');
  // Both waits end long before that time.
  for (const { text } of await ended(workplace, 2))
    expect(text).toMatch(/still not ready.*fault of the service/);
  expect(workplace.service.records.requests).toHaveLength(1);
});

const IMPATIENT = { retries: 3, firstDelayMs: 5, longestDelayMs: 20, patienceMs: 100 };

test.for(['0', '0.01', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'A 429 that names no time (%s) is asked four times, then less often',
  async (after, { open }) => {
    const workplace = await open({ timing: { retry: IMPATIENT } });
    const answer: Reply = { status: 429, headers: { 'retry-after': after } };
    workplace.service.nextAnswers([answer, answer, answer, answer]);
    expect((await stumble(workplace, '1012')).text).toContain('slow down');
    await shown(workplace, '1 hit');
    expect(reachedBy(workplace, 'slow down').requests).toBe(4);
    expect(workplace.service.records.requests).toHaveLength(5);
  },
);

test.for(['soon', '-5', '', '5 apples'])(
  'A 429 whose Retry-After can not be read (%j) is never asked again at once',
  async (after, { open }) => {
    const variables = { WAIT_LIMIT_MINUTES: '0.01' };
    const workplace = await open({ timing: { retry: IMPATIENT }, variables });
    workplace.service.nextAnswers([{ status: 429, headers: { 'retry-after': after } }]);
    expect((await stumble(workplace, '1012')).text).toContain('slow down');
    // It counts as five seconds, and the wait ends before.
    await ended(workplace, 1);
    expect(workplace.service.records.requests).toHaveLength(1);
  },
);
