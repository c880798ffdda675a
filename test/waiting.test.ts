import { expect } from 'vitest';
import {
  ask,
  askTogether,
  ended,
  finals,
  offers,
  SUPPORT,
  test as sequential,
  shown,
  waits,
} from './harness/conversation.ts';
import { SHORT_INTERVAL_MS } from './harness/workplace.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';
import type { Reply, ShelfEntry } from './stand-ins/diagnostics-service/types.ts';

const test = sequential.concurrent;
/** An answer that takes longer on a busy machine shall not look like another piece of news. */
const PATIENT = { patienceMs: 10_000 };
const FOR_EVER: ShelfEntry = { title: 'Slow', purpose: 'Never ready.', processing: { forMs: 'forever' } };
const READY: ShelfEntry = demoShelf()[1012] ?? FOR_EVER;
const DATE = /<!date\^\d+\^/;

function processing(reason: string): Reply {
  return { status: 202, headers: { 'content-type': 'text/plain' }, body: reason };
}

test('A snapshot that is not ready is said to be processed at once: id, since when, reason, for whom', async ({
  open,
}) => {
  const workplace = await open({ timing: PATIENT });
  workplace.service.nextAnswers([processing('Unpacking.')]);
  await workplace.slack.command({ text: '1012', user: 'ben' });
  await shown(workplace, 'is still being processed');
  const [message] = waits(workplace);
  const blocks = JSON.stringify(message?.blocks);
  for (const words of ['Snapshot 1012', 'Unpacking.', '<@U0BEN>']) expect(blocks).toContain(words);
  expect(blocks).toMatch(DATE);
  expect(workplace.service.records.requests).toHaveLength(1);
  await shown(workplace, '1 hit');
});

test('The message is edited when the reason changes, only then, and becomes the result', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const [unpacking, reading] = [processing('Unpacking.'), processing('Reading.')];
  workplace.service.nextAnswers([unpacking, unpacking, reading, reading, processing('')]);
  const message = await ask(workplace, '1012');
  expect(message.text).toContain('1 hit');
  expect(message.history.map(({ text }) => text.replace(/^.*processed\./, ''))).toEqual([
    ' The service says: Unpacking.',
    ' The service says: Reading.',
    '',
  ]);
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
  expect(workplace.service.records.requests).toHaveLength(6);
});

test('A slow answer is announced before it comes, and a quick one is a single message', async ({ open }) => {
  const workplace = await open({ timing: { patienceMs: 50 } });
  await ask(workplace, '1002');
  workplace.service.switches.latencyMs = 300;
  const slow = await ask(workplace, '1012');
  expect(slow.history.map(({ text }) => text)).toEqual(['Snapshot 1012 is still being processed.']);
  const patient = await open({ timing: PATIENT });
  patient.service.switches.latencyMs = 300;
  expect((await ask(patient, '1012')).history).toEqual([]);
});

test('Ten people who wait for one snapshot cost one poll, and each gets the result', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const busy = processing('Busy.');
  workplace.service.nextAnswers([busy, busy, busy, busy]);
  // The login takes so long that all ten have asked before the first of them is told to wait.
  workplace.service.nextLoginAnswers([{ status: 429, headers: { 'retry-after': '1' } }]);
  const messages = await askTogether(workplace, 10, () => '1012');
  expect(messages.filter(({ text }) => text.includes('1 hit'))).toHaveLength(10);
  expect(workplace.service.records.requests).toHaveLength(5);
  const { requests } = workplace.service.records;
  for (const [index, request] of requests.slice(1).entries()) {
    expect(request.arrivedAt - (requests[index]?.answeredAt ?? 0)).toBeGreaterThanOrEqual(SHORT_INTERVAL_MS);
  }
});

test('Whoever asks elsewhere during the interval is told what is known, without a request', async ({
  open,
}) => {
  const workplace = await open({ timing: { ...PATIENT, intervalMs: 1_000 }, service: { waitMs: 1_000 } });
  workplace.service.nextAnswers([processing('Unpacking.')]);
  await workplace.slack.command({ text: '1012' });
  await shown(workplace, 'Unpacking');
  await workplace.slack.command({ text: '1012', user: 'ben', channel: 'C0WARROOM' });
  const there = await workplace.slack.waitFor(() => waits(workplace, 'C0WARROOM')[0], 'a wait elsewhere');
  expect(there.text).toContain('Unpacking.');
  expect(workplace.service.records.requests).toHaveLength(1);
  await ended(workplace, 1);
  await ended(workplace, 1, 'C0WARROOM');
  expect(workplace.service.records.requests).toHaveLength(2);
});

test('Whoever asks again for what is being waited for here is pointed to that message', async ({ open }) => {
  const workplace = await open({ timing: { ...PATIENT, intervalMs: 1_000 }, service: { waitMs: 1_000 } });
  workplace.service.nextAnswers([processing('Unpacking.')]);
  await workplace.slack.command({ text: '1012' });
  const waiting = await shown(workplace, 'Unpacking');
  await workplace.slack.command({ text: '1012', user: 'ben' });
  const pointer = await workplace.slack.waitFor(
    () => workplace.slack.messages(SUPPORT, 'ben').find(({ ephemeral }) => ephemeral),
    'a pointer that only Ben sees',
  );
  expect(pointer.text).toContain('already being waited for');
  expect(pointer.text).toContain(`p${waiting.ts.replace('.', '')}`);
  await ended(workplace, 1);
  expect(finals(workplace)).toHaveLength(1);
  await workplace.slack.command({ text: '1012', user: 'ben' });
  await ended(workplace, 2);
});

test('The one who asked can cancel a wait, and nobody else', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  workplace.service.shelve('7001', FOR_EVER);
  await workplace.slack.command({ text: '7001' });
  const waiting = await shown(workplace, 'is still being processed');
  await workplace.slack.click({ message: waiting, actionId: 'cancel', user: 'ben' });
  await workplace.slack.waitFor(
    () => workplace.slack.messages(SUPPORT, 'ben').find(({ text }) => text.includes('can cancel this')),
    'a refusal that only Ben sees',
  );
  await workplace.slack.click({ message: waiting, actionId: 'cancel' });
  const cancelled = await shown(workplace, 'Stopped waiting');
  expect(cancelled.ts).toBe(waiting.ts);
  expect(offers(cancelled)).toEqual(['ask-again']);
  await workplace.slack.click({ message: cancelled, actionId: 'ask-again' });
  await shown(workplace, 'is still being processed');
});

test('A wait ends at its limit, once, with an offer to go on that works', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { WAIT_LIMIT_MINUTES: '0.01' } });
  workplace.service.shelve('7001', {
    ...FOR_EVER,
    processing: { forMs: 'forever', reasons: ['In a queue.'] },
  });
  const given = await ask(workplace, '7001');
  expect(given.text).toMatch(/Snapshot 7001 is still not ready.*In a queue\./);
  expect(offers(given)).toEqual(['ask-again']);
  const asked = workplace.service.records.requests.length;
  expect(asked).toBeLessThanOrEqual(3);
  await workplace.slack.click({ message: given, actionId: 'ask-again', user: 'ben' });
  await shown(workplace, 'Snapshot 7001 is still being processed');
  workplace.service.shelve('7001', READY);
  const result = await shown(workplace, '1 hit');
  expect(result.ts).toBe(given.ts);
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
  expect(workplace.service.records.requests.length).toBeGreaterThan(asked);
});

test('"Try again" asks anew in the same message, once, however many press it', async ({ open }) => {
  const workplace = await open();
  const failed = await ask(workplace, '7001');
  expect(failed.text).toContain('does not know snapshot 7001');
  workplace.service.shelve('7001', READY);
  const press = (user: string) => workplace.slack.click({ message: failed, actionId: 'ask-again', user });
  await Promise.all([press('ana'), press('ana'), press('ben')]);
  const result = await shown(workplace, '1 hit');
  expect(result.ts).toBe(failed.ts);
  expect(workplace.service.records.requests).toHaveLength(2);
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
  expect(result.history).toHaveLength(1);
});

test('The sets of one snapshot wait on their own', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  workplace.service.nextAnswers([processing('a'), processing('b'), processing('c')]);
  const messages = await askTogether(workplace, 3, (index) => `1012 ${['', 'hit', 'miss'][index]}`);
  expect(messages).toHaveLength(3);
  expect(workplace.service.records.requests.map(({ set }) => set).sort()).toEqual(
    ['all', 'hit', 'miss'].flatMap((set) => [set, set]),
  );
});
