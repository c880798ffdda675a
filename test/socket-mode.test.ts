import { expect, vi } from 'vitest';
import { test as sequential } from './harness/conversation.ts';
import { reads, small } from './harness/places.ts';
import { freePort } from './harness/redis.ts';
import type { Workplace } from './harness/workplace.ts';
import type { Fault } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const PATIENT = { patienceMs: 10_000 };
const OPEN = 'apps.connections.open';
const CONNECTIONS = 2;

function connected({ slack }: Workplace): Promise<true> {
  return slack.waitFor(() => (slack.sockets === CONNECTIONS ? true : undefined), 'the connections', 15_000);
}

for (const reason of ['warning', 'refresh_requested', 'link_disabled'] as const) {
  test(`A wait goes on through ${reason}, and what is asked right after it is answered`, async ({ open }) => {
    const workplace = await open({ mode: 'socket', timing: PATIENT });
    const { slack, service } = workplace;
    await connected(workplace);
    service.shelve('2001', small({ forMs: 'forever' }));
    await slack.command({ text: '2001' });
    const waiting = await reads(workplace, 'is still being processed');
    const opened = () => slack.records.calls.filter(({ method }) => method === OPEN).length;
    const before = opened();
    slack.disconnectSockets(reason);
    await vi.waitFor(() => expect(opened()).toBe(before + CONNECTIONS));
    await connected(workplace);
    expect(await slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
    await reads(workplace, '1012.*1 hit');
    service.shelve('2001', small());
    expect((await reads(workplace, '2001.*1 hit')).ts).toBe(waiting.ts);
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
    const workplace = await open({ mode: 'socket', timing: PATIENT });
    await connected(workplace);
    workplace.slack.failNext(OPEN, ...faults);
    workplace.slack.disconnectSockets('refresh_requested');
    await workplace.slack.waitFor(
      () => (workplace.slack.sockets === 0 ? true : undefined),
      'the end of both',
    );
    await connected(workplace);
    expect(await workplace.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
    await reads(workplace, '1 hit');
  },
);

test('GET /readyz is 503 while Slack does not reach the bot, and 200 again when it does', async ({
  open,
}) => {
  const port = String(await freePort());
  const workplace = await open({ mode: 'socket', variables: { PORT: port } });
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  await connected(workplace);
  expect(await ready()).toBe(200);
  workplace.slack.failNext(OPEN, ...Array.from({ length: 8 }, () => ({ error: 'fatal_error' })));
  workplace.slack.disconnectSockets('refresh_requested');
  await workplace.slack.waitFor(() => (workplace.slack.sockets === 0 ? true : undefined), 'the end of both');
  await vi.waitFor(async () => expect(await ready()).toBe(503));
  expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()).toBe('ok\n');
  await connected(workplace);
  await vi.waitFor(async () => expect(await ready()).toBe(200));
});

test('A token that Slack refuses at the start is an error at once', async ({ open }) => {
  await expect(open({ mode: 'socket', variables: { SLACK_APP_TOKEN: 'xapp-wrong' } })).rejects.toThrow();
});

test('A stopped bot opens no further connection', async ({ open }) => {
  const workplace = await open({ mode: 'socket' });
  await connected(workplace);
  await workplace.stopBot();
  await workplace.slack.waitFor(() => (workplace.slack.sockets === 0 ? true : undefined), 'the end of both');
  const opened = workplace.slack.records.calls.filter(({ method }) => method === OPEN).length;
  await workplace.restart();
  await connected(workplace);
  expect(workplace.slack.records.calls.filter(({ method }) => method === OPEN)).toHaveLength(opened + 2);
});
