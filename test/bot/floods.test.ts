import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { callsOf, fromBot, reads } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { ask, ended, SUPPORT, test } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { flood, statusOf } from '../support/raw-request.ts';

const LIMITED = { COMMANDS_PER_MINUTE: '30' };
const SLOW_DOWN = 'That’s more than Snapshot answers in a minute';
const FLOOD = 600;
const AT_ONCE = 30;
const OTHERS = 40;

/** Does `work` as often as `times` says, several at once. */
async function many(times: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

test('A person who floods the bot is told to slow down, and 40 others are acknowledged and answered as before', async ({
  open,
}) => {
  const world = await open({
    variables: LIMITED,
    // A busy machine may be slow through no fault of the bot. So the test prints the times and does not fail by them.
    slack: { others: OTHERS, ackLimitMs: 50_000 },
    timing: { progressAfterMs: 60_000 },
  });
  const { slack, service } = world;
  const flood = many(FLOOD, () => slack.command({ text: '1001 hit', user: 'ana', channel: SUPPORT }));
  const asked = Date.now();
  const acknowledged = await Promise.all(
    Array.from({ length: OTHERS }, (_, index) =>
      slack.command({ text: '1012', user: `more${index}`, channel: SUPPORT }),
    ),
  );
  await ended(world, OTHERS);
  const answeredMs = Date.now() - asked;
  await flood;
  const byAna = slack.records.deliveries.filter(({ payload }) => payload.user_id === 'U0ANA');
  const slowed = byAna.filter(({ body }) => body.includes(SLOW_DOWN));
  expect(byAna).toHaveLength(FLOOD);
  expect(byAna.every((delivery) => delivery.acknowledged)).toBe(true);
  // A person may send 30 commands at once, and one more every two seconds.
  expect(FLOOD - slowed.length).toBeLessThanOrEqual(30 + Math.ceil((Date.now() - asked) / 2_000));
  expect(acknowledged.every((delivery) => delivery.acknowledged && !delivery.body.includes(SLOW_DOWN))).toBe(
    true,
  );
  const slowest = Math.max(...acknowledged.map(({ ms }) => ms));
  process.stderr.write(
    `flood: others acknowledged within ${Math.round(slowest)} ms, answered within ${answeredMs} ms\n`,
  );
  // Commands for one snapshot share a request that is still open.
  expect(service.records.requests.length).toBeLessThan(OTHERS);
});

test('A hundred commands are acknowledged before most of them are worked on', async ({ open }) => {
  const world = await open({ timing: { progressAfterMs: 60_000 } });
  const { slack } = world;
  await ask(world, '1012');
  let answered = 0;
  slack.on((event) => {
    if (event.type === 'message' && event.change === 'posted') answered += 1;
  });
  const answeredBefore = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const { acknowledged } = await slack.command({ text: '1012', channel: SUPPORT });
      expect(acknowledged).toBe(true);
      return answered;
    }),
  );
  await ended(world, 101);
  expect(Math.max(...answeredBefore)).toBeLessThan(25);
});

test("A refused person's 200 messages are not answered 200 times", async ({ open }) => {
  const world = await open({ variables: LIMITED });
  await many(200, () => world.slack.mention({ text: '1012', user: 'mia', channel: SUPPORT }));
  expect(callsOf(world, 'chat.postEphemeral')).toBeLessThanOrEqual(4);
  expect(callsOf(world, 'chat.postEphemeral')).toBeGreaterThan(0);
  expect(world.service.records.requests).toEqual([]);
});

test('Clicks and refreshes count: they ask the service no more than the share allows', async ({ open }) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '10' } });
  const result = await ask(world, '1001 hit');
  const before = world.service.records.requests.length;
  const began = Date.now();
  await many(60, () => world.slack.click({ message: result, actionId: 'more', value: 'refresh' }));
  await reads(world, SLOW_DOWN);
  const share = 10 + Math.ceil((Date.now() - began) / 6_000);
  expect(world.service.records.requests.length - before).toBeLessThanOrEqual(share);
  const told = fromBot(world, SUPPORT, 'ana').filter(({ text }) => text.includes(SLOW_DOWN));
  expect(told.length).toBeLessThanOrEqual(4);
});

test('A click that is delivered again acts once', async ({ world }) => {
  const result = await ask(world, '1001 hit');
  const click = await world.slack.click({ message: result, actionId: 'all-hits', user: 'ben' });
  await modal(world, 'All 37 hits');
  const before = callsOf(world, 'views.open');
  for (let times = 0; times < 3; times += 1) {
    expect(await world.slack.redeliver(click)).toMatchObject({ acknowledged: true });
  }
  await ask(world, '1012');
  expect(callsOf(world, 'views.open')).toBe(before);
});

const HALF = 'POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 500000\r\n\r\n';
const GET = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

test.for([
  ['thousands of requests in one write', { connections: 50, head: '', unit: GET, times: 1_000 }],
  ['unfinished bodies', { connections: 50, head: HALF, unit: 'x', times: 400_000 }],
] as const)(
  'While strangers send %s, a command is acknowledged and answered',
  async ([, what], { world }) => {
    const port = Number(new URL(world.address()).port);
    const before = world.log.length;
    const flooded = flood(port, what);
    await ask(world, '1012');
    expect(world.log.length - before).toBeLessThan(60);
    await flooded;
  },
);

test('More connections than the limit are closed at once', async ({ world }) => {
  const port = Number(new URL(world.address()).port);
  const sockets = Array.from({ length: 1_200 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expect(await statusOf(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toBe(0);
  for (const socket of sockets) socket.destroy();
  await eventually(async () =>
    expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true }),
  );
});
