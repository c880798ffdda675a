import { expect } from 'vitest';
import { reads, small } from '../support/bot-messages.ts';
import { test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { beginWait } from '../support/slack-troubles.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const OPEN = 'apps.connections.open';
const CONNECTIONS = 2;

function connected({ slack }: World): Promise<true> {
  return slack.waitFor(() => (slack.sockets === CONNECTIONS ? true : undefined), 'the connections', 15_000);
}

test.for(['warning', 'refresh_requested', 'link_disabled'] as const)(
  'A wait goes on through %s, and what is asked right after it is answered',
  async (reason, { open }) => {
    const world = await open({ mode: 'socket' });
    const { slack, service } = world;
    await connected(world);
    const waiting = await beginWait(world, '2001');
    const opened = () => slack.records.calls.filter(({ method }) => method === OPEN).length;
    const before = opened();
    slack.disconnectSockets(reason);
    await eventually(() => expect(opened()).toBe(before + CONNECTIONS));
    await connected(world);
    expect(await slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
    await reads(world, '1012.*1 hit');
    service.shelve('2001', small());
    expect((await reads(world, '2001.*1 hit')).ts).toBe(waiting.ts);
  },
);

test('When Slack answers new connections with faults, the bot comes back by itself', async ({ open }) => {
  const world = await open({ mode: 'socket' });
  await connected(world);
  world.slack.failNext(OPEN, { status: 500 }, 'reset', { error: 'fatal_error' }, { error: 'invalid_auth' });
  world.slack.disconnectSockets('refresh_requested');
  await world.slack.waitFor(() => (world.slack.sockets === 0 ? true : undefined), 'the end of both');
  await connected(world);
  expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
  await reads(world, '1 hit');
});

test('GET /readyz is 503 while Slack does not reach the bot, and then 200 again', async ({ open }) => {
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

test('GET /readyz is 200 while one of the connections is there, which delivers', async ({ open }) => {
  const port = String(await freePort());
  const world = await open({ mode: 'socket', variables: { PORT: port } });
  await connected(world);
  world.slack.failNext(OPEN, ...Array.from({ length: 4 }, () => ({ error: 'fatal_error' })));
  world.slack.disconnectSockets('refresh_requested', 1);
  await world.slack.waitFor(() => (world.slack.sockets === 1 ? true : undefined), 'the end of one');
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
  await reads(world, '1 hit');
});
