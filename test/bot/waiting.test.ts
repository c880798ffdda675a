import { expect } from 'vitest';
import { DEFAULT_TIMING } from '../../src/lookups/lookups.ts';
import type { ServiceSwitches } from '../emulators/diagnostics-service/types.ts';
import { atRest } from '../support/at-rest.ts';
import { settled } from '../support/bot-messages.ts';
import { ask, ended, finals, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { processing, READY, SLOW } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { STORES, stores } from '../support/stores.ts';

const test = sequential.concurrent;
const variablesOf = stores();

test('The message is edited when the reason changes, and becomes the result', async ({ world }) => {
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

test.for(STORES)('“Cancel” counts while the service keeps silent, on %s', async (store, { open }) => {
  const world = await open({ timing: { progressAfterMs: 200 }, variables: await variablesOf(store) });
  const release = world.service.hold();
  await world.slack.command({ text: '1012' });
  const message = await shown(world, /^Looking up snapshot 1012…$/);
  await world.slack.click({ message, actionId: 'cancel' });
  await shown(world, 'was cancelled');
  release();
  await settled(world);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
});

test.for(STORES)(
  'A slow answer is announced also when its time is over by then, on %s',
  async (store, { open }) => {
    const world = await open({ timing: { progressAfterMs: 1_000 }, variables: await variablesOf(store) });
    const release = world.service.hold();
    await world.slack.command({ text: '1012' });
    world.clock.ahead = 2 * 3_600_000;
    await shown(world, /^Looking up snapshot 1012…$/);
    release();
    await shown(world, '1 hit');
  },
);

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

test('A second command for a snapshot that its channel already waits for points to the waiting message', async ({
  world,
}) => {
  const waiting = await beginWait(world, '1012');
  await settled(world);
  await world.slack.command({ text: '1012', user: 'ben' });
  const pointer = await world.slack.waitFor(
    () => world.slack.messages(SUPPORT, 'ben').find(({ ephemeral }) => ephemeral),
    'a pointer that only Ben sees',
  );
  expect(pointer.text).toContain('already in progress');
  expect(pointer.text).toContain(`p${waiting.ts.replace('.', '')}`);
  world.service.shelve('1012', READY);
  await ended(world, 1);
  await atRest(world.address());
  expect(finals(world)).toHaveLength(1);
  await world.slack.command({ text: '1012', user: 'ben' });
  await ended(world, 2);
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

test('In a thread, what “Cancel” and “Tell me too” say privately is in that thread', async ({ world }) => {
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

test('During a temporary fault, another person who asks for the snapshot waits, too, without another request', async ({
  open,
}) => {
  const { retry } = DEFAULT_TIMING;
  // The bot does not ask again before the test has ended.
  const world = await open({ timing: { intervalMs: 60_000, retry: { ...retry, retries: 0 } } });
  world.service.switches.apiStatus = 503;
  await world.slack.command({ text: '1012' });
  await shown(world, 'I’ll keep trying.');
  const asked = world.service.records.requests.length;
  await world.slack.command({ text: '1012', channel: 'C0WARROOM', user: 'ben' });
  await world.slack.waitFor(() => world.slack.messages('C0WARROOM')[0], 'word of the fault');
  expect(world.service.records.requests).toHaveLength(asked);
});
