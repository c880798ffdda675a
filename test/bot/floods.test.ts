import { connect } from 'node:net';
import { expect } from 'vitest';
import { callsOf, fromBot, reads } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { ask, ended, SUPPORT, test } from '../support/conversation.ts';
import { freePort } from '../support/free-port.ts';
import { longestStretch } from '../support/longest-stretch.ts';
import { type Flood, flood, statusOf } from '../support/raw-request.ts';

const LIMITED = { COMMANDS_PER_MINUTE: '30' };
const SLOW_DOWN = 'That’s more than Snapshot answers in a minute';
const FLOOD = 600;
const AT_ONCE = 30;
const OTHERS = 40;

/** Does something so many times, some at once; whoever is done goes on with the next. */
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
    // The emulator does not judge the times: a busy machine is not the bot's fault, and they are reported below.
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
  // While the flood lasts, the person's share grows with the time.
  expect(FLOOD - slowed.length).toBeLessThanOrEqual(30 + Math.ceil((Date.now() - asked) / 2_000));
  expect(acknowledged.every((delivery) => delivery.acknowledged && !delivery.body.includes(SLOW_DOWN))).toBe(
    true,
  );
  const slowest = Math.max(...acknowledged.map(({ ms }) => ms));
  process.stderr.write(
    `flood: others acknowledged within ${Math.round(slowest)} ms, answered within ${answeredMs} ms\n`,
  );
  // Whoever asks while an answer is on its way shares it.
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
  const click = await world.slack.click({ message: result, actionId: 'all-hits' });
  await modal(world, 'All 37 hits', 'ana');
  const before = callsOf(world, 'views.open');
  for (let times = 0; times < 3; times += 1) {
    expect(await world.slack.redeliver(click)).toMatchObject({ acknowledged: true });
  }
  await ask(world, '1012');
  expect(callsOf(world, 'views.open')).toBe(before);
});

/** Sends many requests in one write, without waiting for an answer; gives all that comes back until the end. */
function pipelined(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let answers = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request.repeat(PIPELINED)));
    socket.on('data', (data) => {
      answers += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answers));
  });
}

const PIPELINED = 3_000;
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: bot\r\n\r\n`;
const EXPECTING = 'GET /healthz HTTP/1.1\r\nHost: bot\r\nExpect: an answer\r\n\r\n';
const UNSIGNED = 'POST /slack/events HTTP/1.1\r\nHost: bot\r\nContent-Length: 2\r\n\r\n{}';

test.for([
  ['/metrics', 'ops', GET('/metrics')],
  ['/readyz', 'ops', GET('/readyz')],
  ['nothing that is there', 'ops', GET('/x')],
  ['an expectation that Node refuses by itself', 'ops', EXPECTING],
  ['/metrics', 'slack', GET('/metrics')],
  ['/readyz', 'slack', GET('/readyz')],
  ['a path that is no text', 'slack', GET('/%E0')],
  ['an expectation that Node refuses by itself', 'slack', EXPECTING],
  ['deliveries without a signature', 'slack', UNSIGNED],
] as const)(
  'Thousands of requests for %s in one write, on the port for %s, get one answer, and few lines in the log',
  async ([_what, port, request], { open }) => {
    const opsPort = await freePort();
    const world = await open({ variables: port === 'ops' ? { OPS_PORT: String(opsPort) } : {} });
    const to = port === 'ops' ? opsPort : Number(new URL(world.address()).port);
    const before = world.log.length;
    const answers = await Promise.all(Array.from({ length: 3 }, () => pipelined(to, request)));
    for (const answer of answers) expect(answer.match(/^HTTP\/1\.1 /gm)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(world.log.length - before).toBeLessThan(30);
    await ask(world, '1012');
  },
);

test('A body in chunks, of which each byte can be one, is refused on both ports', async ({ open }) => {
  const opsPort = await freePort();
  const world = await open({ variables: { OPS_PORT: String(opsPort) } });
  const ports = [
    ['POST /slack/events', Number(new URL(world.address()).port)],
    ['GET /healthz', opsPort],
  ] as const;
  for (const [line, port] of ports) {
    const request = `${line} HTTP/1.1\r\nHost: bot\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await statusOf(port, `${request}${'1\r\n{\r\n'.repeat(100)}`), line).toBe(411);
  }
});

const KB = 1_024;
/** Beside the head, all at once. */
const filling = (bytes: number, unit: string) => ({ unit, times: Math.floor(bytes / unit.length) });
const FORM =
  'POST /slack/events HTTP/1.1\r\nHost: bot\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const CHUNKED = 'POST /slack/events HTTP/1.1\r\nHost: bot\r\nTransfer-Encoding: chunked\r\n\r\n';
const FLOODS: readonly (readonly [string, 'ops' | 'slack', Flood])[] = [
  ['64 KB of requests each', 'slack', { connections: 50, head: '', ...filling(64 * KB, GET('/x')) }],
  ['64 KB of requests each', 'ops', { connections: 50, head: '', ...filling(64 * KB, GET('/x')) }],
  ['64 KB of chunks each', 'slack', { connections: 50, head: CHUNKED, ...filling(64 * KB, '1\r\n{\r\n') }],
  [
    'an unsigned form of 500 KB each',
    'slack',
    { connections: 50, head: `${FORM}Content-Length: ${500 * KB}\r\n\r\n`, ...filling(500 * KB, 'ab=%41c&') },
  ],
];

test.for(FLOODS)(
  'Fifty connections that send %s at once, on the port for %s, do not hold the loop',
  async ([, port, what], { open }) => {
    const opsPort = await freePort();
    const world = await open({ variables: port === 'ops' ? { OPS_PORT: String(opsPort) } : {} });
    const to = port === 'ops' ? opsPort : Number(new URL(world.address()).port);
    expect(await longestStretch(() => flood(to, what))).toBeLessThan(100);
    await ask(world, '1012');
  },
);
