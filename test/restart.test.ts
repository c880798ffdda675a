import { expect } from 'vitest';
import { ask, ended, finals, SUPPORT, shown, test, waits } from './harness/conversation.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';
import type { ShelfEntry } from './stand-ins/diagnostics-service/types.ts';

const SLOW: ShelfEntry = { title: 'Slow', purpose: 'Not ready yet.', processing: { forMs: 'forever' } };
const READY: ShelfEntry = demoShelf()[1012] ?? SLOW;

test('A restart needs no login', async ({ open }) => {
  const workplace = await open();
  await ask(workplace, '1012');
  for (let times = 0; times < 3; times += 1) {
    await workplace.restart();
    expect((await ask(workplace, '1012')).text).toContain('1 hit');
  }
  expect(workplace.service.records.logins).toHaveLength(1);
});

test('A lookup that waits at a stop goes on after the start, and ends in the same message, once', async ({
  open,
}) => {
  const workplace = await open();
  workplace.service.shelve('7001', SLOW);
  await workplace.slack.command({ text: '7001' });
  const waiting = await shown(workplace, 'is still being processed');
  await workplace.stopBot();
  const asked = workplace.service.records.requests.length;
  workplace.service.shelve('7001', READY);
  expect(finals(workplace)).toEqual([]);
  await workplace.restart();
  const result = await shown(workplace, '1 hit');
  expect(result.ts).toBe(waiting.ts);
  expect(result.history).toHaveLength(1);
  await workplace.restart();
  await ask(workplace, '1002');
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(2);
  expect(workplace.service.records.requests).toHaveLength(asked + 2);
  expect(workplace.service.records.logins).toHaveLength(1);
});

test('Twenty lookups that wait through three restarts end in twenty messages', async ({ open }) => {
  const workplace = await open();
  const ids = Array.from({ length: 20 }, (_, index) => String(7000 + index));
  for (const id of ids) workplace.service.shelve(id, SLOW);
  await Promise.all(ids.map((text) => workplace.slack.command({ text })));
  await workplace.slack.waitFor(() => (waits(workplace).length === 20 ? true : undefined), 'all to wait');
  for (let times = 0; times < 3; times += 1) await workplace.restart();
  for (const id of ids) workplace.service.shelve(id, READY);
  const messages = await ended(workplace, 20);
  expect(messages.map(({ text }) => /Snapshot (\d+)/.exec(text)?.[1]).sort()).toEqual(ids);
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(20);
  expect(workplace.service.records.logins).toHaveLength(1);
});

test('The interval after a 202 holds across a restart, also for whoever asks first then', async ({
  open,
}) => {
  const workplace = await open({ timing: { intervalMs: 1_500 }, service: { waitMs: 1_500 } });
  workplace.service.shelve('7001', SLOW);
  await workplace.slack.command({ text: '7001' });
  await shown(workplace, 'is still being processed');
  workplace.service.shelve('7001', READY);
  await workplace.restart();
  await workplace.slack.command({ text: '7001', user: 'ben', channel: 'C0WARROOM' });
  await ended(workplace, 1);
  await ended(workplace, 1, 'C0WARROOM');
  const [first, second, ...more] = workplace.service.records.requests;
  expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1_500);
  expect(more).toEqual([]);
});

test('A wait does not begin anew with a restart: its limit stays', async ({ open }) => {
  const workplace = await open({ variables: { WAIT_LIMIT_MINUTES: '0.01' } });
  workplace.service.shelve('7001', SLOW);
  await workplace.slack.command({ text: '7001' });
  await shown(workplace, 'is still being processed');
  await workplace.restart({ WAIT_LIMIT_MINUTES: '60' });
  expect((await shown(workplace, 'still not ready')).text).toContain('Snapshot 7001');
});

test('A command that was acknowledged just before the stop is answered, once', async ({ open }) => {
  const workplace = await open();
  workplace.service.switches.latencyMs = 200;
  const delivery = await workplace.slack.command({ text: '1012' });
  expect(delivery.acknowledged).toBe(true);
  await workplace.restart();
  const result = await shown(workplace, '1 hit');
  await ask(workplace, '1002');
  expect(workplace.slack.messages(SUPPORT).map(({ text }) => text)).toEqual([
    result.text,
    expect.stringContaining('180 checks'),
  ]);
});

test('A result that Slack did not take before a restart is delivered after it, once', async ({ open }) => {
  const workplace = await open();
  const { slack } = workplace;
  slack.failNext('chat.postMessage', { error: 'fatal_error' });
  await slack.command({ text: '1012' });
  await slack.waitFor(
    () =>
      slack.records.calls.find(({ answer }) =>
        answer === undefined ? false : JSON.stringify(answer).includes('fatal_error'),
      ),
    'Slack to refuse',
  );
  await workplace.restart();
  await shown(workplace, '1 hit');
  await ask(workplace, '1002');
  expect(slack.messages(SUPPORT)).toHaveLength(2);
});
