import { expect } from 'vitest';
import { unitDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { atRest, measures } from '../support/at-rest.ts';
import { reads } from '../support/bot-messages.ts';
import { choose, modal, reading, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { textsOf } from '../support/message-parts.ts';
import { CLUSTER, lineOf, linesOf, requests, shelveUnit } from '../support/several.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const EIGHT = '1014 1015 1016 1010 1011 1012 1013 1002';
const SHELF = demoShelf();
const NONE = { title: '', purpose: '' };

/** Puts lb-a and lb-b on the shelf under ids of the usual length. */
function shelvePair({ service }: World): void {
  for (const [id, host] of [
    ['10012345', 'lb-a'],
    ['10012346', 'lb-b'],
  ] as const)
    service.shelve(id, { title: host, purpose: '', document: unitDocument(host) });
}

test('A cluster stands in one message, which changes with the news alone, through a restart, and costs one poll each', async ({
  world,
}) => {
  shelveUnit(world, 'One.');
  await world.slack.command({ text: CLUSTER });
  const first = await shown(world, 'processed: One.');
  expect(linesOf(first)).toEqual([
    'Same 27 hits on the 2 with a result; 4 more on lb-a',
    'lb-a · 17.1.3 · 1 critical · 9 high',
    'lb-c · 17.1.1 · 1 critical · 9 high',
    '1017 · still being processed: One.',
    '1007 · ⚠ no access',
    'Releases and checks differ (240, 247)',
  ]);
  // Who asks for that unit elsewhere waits for the same poll: the service counts one that comes too early as a breach.
  await world.slack.command({ text: '1017', user: 'ben', channel: 'C0WARROOM' });
  const polls = requests(world)[1017] ?? 0;
  await expect.poll(() => requests(world)[1017]).toBeGreaterThan(polls + 2);
  expect(world.slack.messages(SUPPORT)[0]?.history).toEqual([]);
  shelveUnit(world, 'Two.');
  await shown(world, 'processed: Two.');
  await world.restart();
  shelveUnit(world);
  const final = await shown(world, /lb-d · 17\.1\.3/);
  await atRest(world.address());
  expect(linesOf(final)[0]).toBe('Same 27 hits on the 3 with a result; 4 on only some');
  expect(offers(final)).toContain('ask-again');
  expect(final.history).toHaveLength(2);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  expect(requests(world)).toMatchObject({ 1014: 1, 1016: 1, 1007: 1 });
});

const refusedAs = (kind: string) => `snapshot_bot_deliveries_total{kind="${kind}",outcome="refused"} 1`;

test.for([
  ['command', (world: World) => world.slack.command({ text: EIGHT })],
  ['command', (world: World) => world.slack.command({ text: `${EIGHT} me` })],
  ['mention', (world: World) => world.slack.mention({ text: EIGHT, channel: SUPPORT })],
] as const)(
  'More snapshots in one %s than the share has room for are refused',
  async ([kind, ask], { open }) => {
    const world = await open({ variables: { COMMANDS_PER_MINUTE: '4' } });
    await ask(world);
    await measures(world, refusedAs(kind));
    expect(world.service.records.requests).toEqual([]);
  },
);

test('"Try again" asks for the failed ones alone, and is counted for each', async ({ open }) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '6' } });
  const failed = await ask(world, '1014 1015 1007');
  world.service.shelve('1007', SHELF[1016] ?? { title: '', purpose: '' });
  await world.restart({ COMMANDS_PER_MINUTE: '2' });
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  await told(world, SUPPORT, 'more than Snapshot answers in a minute');
  await measures(world, refusedAs('message-click'));
  await world.restart();
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  const final = await reading(world, failed, /lb-c · 17\.1\.1/);
  expect(offers(final)).not.toContain('ask-again');
  expect(requests(world)).toEqual({ 1014: 1, 1015: 1, 1007: 2 });
});

test('"Refresh" is counted for each of them, too', async ({ open }) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '4' } });
  const message = await ask(world, '1014 1015 1007');
  await choose(world, message, 'more', 'Refresh');
  await eventually(() => expect(world.service.records.requests).toHaveLength(6));
  await choose(world, message, 'more', 'Refresh');
  await told(world, SUPPORT, 'more than Snapshot answers in a minute');
  await measures(world, refusedAs('message-click'));
  expect(world.service.records.requests.length).toBeLessThanOrEqual(3 + 3 + 1);
});

test('Who asked can cancel the wait; at its limit the message is final, and goes on for who wants that', async ({
  world,
}) => {
  shelveUnit(world, 'One.');
  await world.slack.command({ text: '1014 1017' });
  const waiting = await shown(world, 'processed: One.');
  await world.slack.click({ message: waiting, actionId: 'cancel', user: 'ben' });
  await told(world, SUPPORT, 'can cancel this');
  await world.slack.command({ text: '1017', user: 'ben', channel: 'C0WARROOM' });
  await world.slack.click({ message: waiting, actionId: 'cancel' });
  await reading(world, waiting, 'was cancelled');
  // Whoever else waits for it waits on.
  shelveUnit(world);
  await reads(world, '1017 · lb-d', { channel: 'C0WARROOM' });
  shelveUnit(world, 'One.');
  await world.restart({ WAIT_LIMIT_MINUTES: '0.01' });
  await world.slack.command({ text: '1014 1017' });
  const given = await world.slack.waitFor(
    () =>
      world.slack.messages(SUPPORT).find((each) => JSON.stringify(each.blocks).includes('"Keep waiting"')),
    'an offer to keep waiting',
  );
  expect(lineOf(given, '1017')).toBe('1017 · still being processed: One.');
  await world.restart({ WAIT_LIMIT_MINUTES: '60' });
  shelveUnit(world);
  await world.slack.click({ message: given, actionId: 'ask-again', user: 'ben' });
  await reading(world, given, /lb-d · 17\.1\.3/);
  expect(world.slack.messages(SUPPORT)).toHaveLength(2);
});

test.for([
  ['two at a time', {}, 2],
  ['within the limit of an operator', { SERVICE_CONCURRENCY: '1' }, 1],
] as const)(
  'Eight snapshots are read %s, and cost as much as eight commands',
  async ([, limit, most], { open }) => {
    const world = await open({ variables: { COMMANDS_PER_MINUTE: '9', ...limit } });
    await ask(world, '1001');
    const release = world.service.hold();
    await world.slack.command({ text: EIGHT });
    // By then all have been asked for that are asked for at once.
    await shown(world, 'Looking up');
    expect(world.service.records.requests).toHaveLength(1 + most);
    release();
    const message = await shown(world, /lb-a · /);
    expect(linesOf(message)).toHaveLength(10);
    expect(world.service.records.requests).toHaveLength(1 + 8);
    const refused = await world.slack.command({ text: EIGHT });
    expect(refused.body).toContain('more than Snapshot answers in a minute');
    await measures(world, refusedAs('command'));
    world.service.switches.latencyMs = 50;
    await world.restart({ COMMANDS_PER_MINUTE: '60' });
    await choose(world, message, 'more', 'Refresh');
    await reading(world, message, 'Nothing changed since the message was made');
    expect(world.service.records.requests).toHaveLength(1 + 8 + 8);
    expect(mostAtOnce(world)).toBe(most);
  },
);

/** The most documents that were asked for at one time, and had not come. */
function mostAtOnce({ service }: World): number {
  const { requests: all } = service.records;
  return Math.max(
    ...all.map(
      ({ arrivedAt: at }) =>
        all.filter(({ arrivedAt, answeredAt = at }) => arrivedAt <= at && at < answeredAt).length,
    ),
  );
}

const FAULTS: readonly [what: string, line: string, act: (world: World) => unknown][] = [
  ['is not known', '⚠ not found', ({ service }) => service.shelve('1007', { ...NONE, status: 404 })],
  [
    'is refused to a session that was just begun',
    '⚠ the service refused the bot’s session',
    ({ service }) => service.nextAnswers(Array(200).fill({ status: 401 }), '1007'),
  ],
  [
    'is too large',
    '⚠ too large to read',
    ({ service }) => {
      service.shelve('1007', SHELF[1016] ?? NONE);
      service.nextAnswers(['huge'], '1007');
    },
  ],
  [
    'meets a service that is away until the limit',
    'no answer yet: the service failed',
    ({ service }) => service.nextAnswers(Array(200).fill({ status: 503 }), '1007'),
  ],
  [
    'is processed until the limit',
    'still being processed: Unpacking.',
    ({ service }) =>
      service.shelve('1007', { ...NONE, processing: { forMs: 'forever', reasons: ['Unpacking.'] } }),
  ],
];

test.for(FAULTS)('One that %s is its own line, and fails no other: %s', async ([, line, act], { open }) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.02' } });
  act(world);
  await world.slack.command({ text: '1014 1015 1007' });
  const message = await world.slack.waitFor(
    () => world.slack.messages(SUPPORT).find((each) => offers(each).includes('ask-again')),
    'a final message',
  );
  expect(linesOf(message)[0]).toBe('Same 31 hits on the 2 with a result; 2 more on lb-b (1 critical)');
  expect(lineOf(message, '1007')).toBe(`1007 · ${line}`);
  expect(textsOf(message.blocks, 'plain_text')).toContain(
    line.startsWith('⚠') ? 'Try again' : 'Keep waiting',
  );
});

test('A refused login is the line of each, costs one login, and can be tried again', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const message = await ask(world, '1014 1015 1007');
  expect(linesOf(message)).toEqual([
    'No result for these 3 snapshots',
    ...['1014', '1015', '1007'].map((id) => `${id} · ⚠ login failed`),
  ]);
  expect(offers(message)).toEqual(['ask-again']);
  expect(world.service.records.logins).toHaveLength(1);
});

test.for([
  ['the form', 'look-up-snapshot'],
  ['the shortcut on a message', 'diagnose-snapshot'],
] as const)('Which of both have a CVE is asked by %s, too', async ([, callbackId], { world }) => {
  shelvePair(world);
  const { message } = await world.slack.say({ text: 'Uploaded 10012345 and 10012346' });
  await world.slack.shortcut({ callbackId, ...(callbackId === 'diagnose-snapshot' && { message }) });
  const view = await modal(world, 'Search for', 'ana');
  const values = { id: '10012345 10012346', 'search-for': 'CVE-2026-10128' };
  const where = callbackId === 'look-up-snapshot' ? { where: SUPPORT } : {};
  await world.slack.submit({ view, values: { ...values, ...where } });
  expect(linesOf(await reads(world, '10012345, 10012346')).slice(0, 3)).toEqual([
    'CVE-2026-10128: hit on 1 of 2 (lb-b)',
    'lb-a · 17.1.3 · Checked, not a hit',
    'lb-b · 17.1.3 · Hit',
  ]);
});
