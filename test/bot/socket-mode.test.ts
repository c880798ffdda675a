import { expect } from 'vitest';
import type { Fault } from '../emulators/slack/model.ts';
import { reads, small } from '../support/bot-messages.ts';
import { test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const OPEN = 'apps.connections.open';
const CONNECTIONS = 2;

function connected({ slack }: World): Promise<true> {
  return slack.waitFor(() => (slack.sockets === CONNECTIONS ? true : undefined), 'the connections', 15_000);
}

for (const reason of ['warning', 'refresh_requested', 'link_disabled'] as const) {
  test(`A wait goes on through ${reason}, and what is asked right after it is answered`, async ({ open }) => {
    const world = await open({ mode: 'socket' });
    const { slack, service } = world;
    await connected(world);
    service.shelve('2001', small({ forMs: 'forever' }));
    await slack.command({ text: '2001' });
    const waiting = await reads(world, 'is still being processed');
    const opened = () => slack.records.calls.filter(({ method }) => method === OPEN).length;
    const before = opened();
    slack.disconnectSockets(reason);
    await eventually(() => expect(opened()).toBe(before + CONNECTIONS));
    await connected(world);
    expect(await slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
    await reads(world, '1012.*1 hit');
    service.shelve('2001', small());
    expect((await reads(world, '2001.*1 hit')).ts).toBe(waiting.ts);
  });
}

const FAULTS: [what: string, faults: Fault[]][] = [
  ['an error of its servers', Array.from({ length: 8 }, () => ({ status: 500 }))],
  ['a broken connection', Array.from({ length: 8 }, () => 'reset' as const)],
  ['an error that it says', Array.from({ length: 4 }, () => ({ error: 'fatal_error' }))],
  ['a refusal that does not last', Array.from({ length: 4 }, () => ({ error: 'invalid_auth' }))],
];

test.for(FAULTS)(
  'When Slack answers a new connection with %s, the bot comes back by itself',
  async ([, faults], { open }) => {
    const world = await open({ mode: 'socket' });
    await connected(world);
    world.slack.failNext(OPEN, ...faults);
    world.slack.disconnectSockets('refresh_requested');
    await world.slack.waitFor(() => (world.slack.sockets === 0 ? true : undefined), 'the end of both');
    await connected(world);
    expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
    await reads(world, '1 hit');
  },
);

test('GET /readyz is 503 while Slack does not reach the bot, and 200 again when it does', async ({
  open,
}) => {
  const port = String(await freePort());
  const world = await open({ mode: 'socket', variables: { PORT: port } });
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  await connected(world);
  expect(await ready()).toBe(200);
  world.slack.failNext(OPEN, ...Array.from({ length: 8 }, () => ({ error: 'fatal_error' })));
  world.slack.disconnectSockets('refresh_requested');
  await world.slack.waitFor(() => (world.slack.sockets === 0 ? true : undefined), 'the end of both');
  await eventually(async () => expect(await ready()).toBe(503));
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  await connected(world);
  await eventually(async () => expect(await ready()).toBe(200));
});

test('A token that Slack refuses at the start is an error at once', async ({ open }) => {
  await expect(open({ mode: 'socket', variables: { SLACK_APP_TOKEN: 'xapp-wrong' } })).rejects.toThrow();
});

test('A stopped bot opens no further connection', async ({ open }) => {
  const world = await open({ mode: 'socket' });
  await connected(world);
  await world.stopBot();
  await world.slack.waitFor(() => (world.slack.sockets === 0 ? true : undefined), 'the end of both');
  const opened = world.slack.records.calls.filter(({ method }) => method === OPEN).length;
  await world.restart();
  await connected(world);
  expect(world.slack.records.calls.filter(({ method }) => method === OPEN)).toHaveLength(opened + 2);
});
