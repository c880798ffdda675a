import { expect } from 'vitest';
import type { ServiceSwitches } from '../emulators/diagnostics-service/types.ts';
import { settled } from '../support/bot-messages.ts';
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
} from '../support/conversation.ts';
import { processing, READY, SLOW } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { SHORT_INTERVAL_MS } from '../support/world.ts';

const test = sequential.concurrent;
const DATE = /<!date\^\d+\^/;

test('The wait for a snapshot that is not ready is shown at once: id, since when, reason, for whom', async ({
  world,
}) => {
  world.service.nextAnswers([processing('Unpacking.')]);
  await world.slack.command({ text: '1012', user: 'ben' });
  await shown(world, 'is still being processed');
  const [message] = waits(world);
  const blocks = JSON.stringify(message?.blocks);
  for (const words of ['Snapshot 1012', 'Unpacking.', '<@U0BEN>']) expect(blocks).toContain(words);
  expect(blocks).toMatch(DATE);
  expect(world.service.records.requests).toHaveLength(1);
  await shown(world, '1 hit');
});

test('The message is edited when the reason changes, only then, and becomes the result', async ({
  world,
}) => {
  const [unpacking, reading] = [processing('Unpacking.'), processing('Reading.')];
  world.service.nextAnswers([unpacking, unpacking, reading, reading, processing('')]);
  const message = await ask(world, '1012');
  expect(message.text).toContain('1 hit');
  expect(message.history.map(({ text }) => text.replace(/^.*processed\./, ''))).toEqual([
    ' The service says: Unpacking.',
    ' The service says: Reading.',
    '',
  ]);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  expect(world.service.records.requests).toHaveLength(6);
});

test('A slow answer is announced before it comes, and a quick one is a single message', async ({ open }) => {
  const world = await open({ timing: { progressAfterMs: 50 } });
  const release = world.service.hold();
  await world.slack.command({ text: '1012' });
  await shown(world, /^Looking up snapshot 1012…$/);
  release();
  expect((await shown(world, '1 hit')).history).toHaveLength(1);
  const slow = await open();
  slow.service.switches.latencyMs = 300;
  expect((await ask(slow, '1012')).history).toEqual([]);
});

const silences: [what: string, switches: Partial<ServiceSwitches>, variables?: Record<string, string>][] = [
  ['is slow', { latencyMs: 600 }],
  ['drops connections', { resetConnections: true }],
  ['fails', { apiStatus: 503 }],
  ['has no address', {}, { DIAGNOSTICS_AUTH_URL: 'https://login.invalid' }],
];

test.for(silences)(
  'While a service %s, the message says that the bot looks, and not that the snapshot is processed',
  async ([, switches, variables], { open }) => {
    const limit = { WAIT_LIMIT_MINUTES: '0.05' };
    const world = await open({ timing: { progressAfterMs: 50 }, variables: { ...limit, ...variables } });
    Object.assign(world.service.switches, switches);
    const { text, history } = await ask(world, '1012');
    expect(history[0]?.text).toMatch(/^Looking up snapshot 1012…/);
    for (const said of [text, ...history.map((revision) => revision.text)]) {
      expect(said).not.toContain('processed');
    }
  },
);

test('The message says that a snapshot is processed as soon as the service has said so', async ({ open }) => {
  const world = await open({ timing: { progressAfterMs: 50 } });
  world.service.switches.latencyMs = 400;
  world.service.nextAnswers([processing('')]);
  const { text, history } = await ask(world, '1012');
  expect(text).toContain('1 hit');
  expect(history.map((revision) => revision.text)).toEqual([
    'Looking up snapshot 1012…',
    'Snapshot 1012 is still being processed.',
  ]);
});

test('Ten people who wait for one snapshot cost one poll, and each gets the result', async ({ world }) => {
  const busy = processing('Busy.');
  world.service.nextAnswers([busy, busy, busy, busy]);
  // All ten have asked before the first of them is told to wait.
  const release = world.service.hold();
  const asking = askTogether(world, 10, () => '1012');
  await world.slack.waitFor(
    () =>
      world.slack.records.deliveries.filter(({ acknowledged }) => acknowledged).length === 10
        ? true
        : undefined,
    'ten acknowledgements',
  );
  release();
  const messages = await asking;
  expect(messages.filter(({ text }) => text.includes('1 hit'))).toHaveLength(10);
  expect(world.service.records.requests).toHaveLength(5);
  const { requests } = world.service.records;
  for (const [index, request] of requests.slice(1).entries()) {
    expect(request.arrivedAt - (requests[index]?.answeredAt ?? 0)).toBeGreaterThanOrEqual(SHORT_INTERVAL_MS);
  }
});

test('Whoever asks elsewhere during the interval is told the reason of the last 202, without a request', async ({
  open,
}) => {
  // Long enough for whoever asks next to be within it, however busy the machine is.
  const intervalMs = 4_000;
  const world = await open({ timing: { intervalMs }, service: { waitMs: intervalMs } });
  world.service.nextAnswers([processing('Unpacking.')]);
  await world.slack.command({ text: '1012' });
  await shown(world, 'Unpacking');
  await world.slack.command({ text: '1012', user: 'ben', channel: 'C0WARROOM' });
  const there = await world.slack.waitFor(() => waits(world, 'C0WARROOM')[0], 'a wait elsewhere');
  expect(there.text).toContain('Unpacking.');
  expect(world.service.records.requests).toHaveLength(1);
  await ended(world, 1);
  await ended(world, 1, 'C0WARROOM');
  expect(world.service.records.requests).toHaveLength(2);
});

test('Whoever asks again in the channel for a snapshot that is awaited there is pointed to the waiting message', async ({
  world,
}) => {
  const waiting = await beginWait(world, '1012');
  await world.slack.command({ text: '1012', user: 'ben' });
  const pointer = await world.slack.waitFor(
    () => world.slack.messages(SUPPORT, 'ben').find(({ ephemeral }) => ephemeral),
    'a pointer that only Ben sees',
  );
  expect(pointer.text).toContain('already in progress');
  expect(pointer.text).toContain(`p${waiting.ts.replace('.', '')}`);
  world.service.shelve('1012', READY);
  await ended(world, 1);
  expect(finals(world)).toHaveLength(1);
  await world.slack.command({ text: '1012', user: 'ben' });
  await ended(world, 2);
});

test('Only the person who asked can cancel a wait', async ({ world }) => {
  const waiting = await beginWait(world);
  await world.slack.click({ message: waiting, actionId: 'cancel', user: 'ben' });
  await world.slack.waitFor(
    () => world.slack.messages(SUPPORT, 'ben').find(({ text }) => text.includes('can cancel this')),
    'a refusal that only Ben sees',
  );
  await world.slack.click({ message: waiting, actionId: 'cancel' });
  const cancelled = await shown(world, 'was cancelled');
  expect(cancelled.ts).toBe(waiting.ts);
  expect(offers(cancelled)).toEqual(['ask-again']);
  await world.slack.click({ message: cancelled, actionId: 'ask-again' });
  await shown(world, 'is still being processed');
});

test('A wait ends at its limit, once, with an offer to go on that works', async ({ open }) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.01' } });
  world.service.shelve('7001', {
    ...SLOW,
    processing: { forMs: 'forever', reasons: ['In a queue.'] },
  });
  const given = await ask(world, '7001');
  expect(given.text).toMatch(/Snapshot 7001 is still not ready.*In a queue\./);
  expect(offers(given)).toEqual(['ask-again']);
  const asked = world.service.records.requests.length;
  expect(asked).toBeLessThanOrEqual(3);
  await world.restart({ WAIT_LIMIT_MINUTES: '60' });
  await world.slack.click({ message: given, actionId: 'ask-again', user: 'ben' });
  await shown(world, 'Snapshot 7001 is still being processed');
  world.service.shelve('7001', READY);
  const result = await shown(world, '1 hit');
  expect(result.ts).toBe(given.ts);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  expect(world.service.records.requests.length).toBeGreaterThan(asked);
});

test('"Try again" asks anew in the same message, once, however many press it', async ({ world }) => {
  const failed = await ask(world, '7001');
  expect(failed.text).toContain('Snapshot 7001 was not found');
  world.service.shelve('7001', READY);
  const press = (user: string) => world.slack.click({ message: failed, actionId: 'ask-again', user });
  await Promise.all([press('ana'), press('ana'), press('ben')]);
  const result = await shown(world, '1 hit');
  expect(result.ts).toBe(failed.ts);
  expect(world.service.records.requests).toHaveLength(2);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  expect(result.history).toHaveLength(1);
  // Three lookups would write the same answer three times.
  await settled(world);
  const edits = world.slack.records.calls.filter(({ method }) => method === 'chat.update');
  expect(edits).toHaveLength(1);
});

test('The private answer to a click in a thread is in that thread: who may cancel, and that the person is on the list', async ({
  world,
}) => {
  world.service.shelve('7001', SLOW);
  const { message: parent } = await world.slack.say({ text: 'edge-7 is down' });
  await world.slack.mention({ text: '7001', threadTs: parent.ts });
  const waiting = await shown(world, 'is still being processed');
  expect(waiting.threadTs).toBe(parent.ts);
  for (const actionId of ['cancel', 'tell-me-too']) {
    await world.slack.click({ message: waiting, actionId, user: 'ben' });
  }
  const notices = await world.slack.waitFor(() => {
    const told = world.slack.messages(SUPPORT, 'ben').filter(({ ephemeral }) => ephemeral);
    return told.length === 2 ? told : undefined;
  }, 'two notices for Ben');
  expect(notices.map(({ threadTs }) => threadTs)).toEqual([parent.ts, parent.ts]);
  expect(notices.map(({ text }) => text).toSorted()).toEqual([
    expect.stringContaining('can cancel this'),
    expect.stringContaining('on the list'),
  ]);
});
