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
  expect(first.text).toContain('2 of 4 are ready. 27 hits on both; 4 more only on lb-a.');
  expect(linesOf(first)).toEqual([
    '⏳\u00a01017 is still being processed: One.',
    '⛔\u00a01007: the bot’s account has no access.',
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
  const final = await shown(world, '27 hits on all 3');
  await atRest(world.address());
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
  const final = await reading(world, failed, 'hits on all 3');
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
  await reads(world, /Snapshot 1017 of lb-d.* hits/, { channel: 'C0WARROOM' });
  shelveUnit(world, 'One.');
  await world.restart({ WAIT_LIMIT_MINUTES: '0.01' });
  await world.slack.command({ text: '1014 1017' });
  const given = await world.slack.waitFor(
    () =>
      world.slack.messages(SUPPORT).find((each) => JSON.stringify(each.blocks).includes('"Keep waiting"')),
    'an offer to keep waiting',
  );
  expect(lineOf(given, '1017')).toBe('⏳\u00a01017 is still being processed: One.');
  await world.restart({ WAIT_LIMIT_MINUTES: '60' });
  shelveUnit(world);
  await world.slack.click({ message: given, actionId: 'ask-again', user: 'ben' });
  await reading(world, given, 'hits on both');
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
    const message = await shown(world, /^Snapshots 1014.* hit/);
    expect(world.service.records.requests).toHaveLength(1 + 8);
    const refused = await world.slack.command({ text: EIGHT });
    expect(refused.body).toContain('more than Snapshot answers in a minute');
    await measures(world, refusedAs('command'));
    world.service.switches.latencyMs = 50;
    await world.restart({ COMMANDS_PER_MINUTE: '60' });
    await choose(world, message, 'more', 'Refresh');
    await eventually(() => expect(world.service.records.requests).toHaveLength(1 + 8 + 8));
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
  ['is not known', 'not found.', ({ service }) => service.shelve('1007', { ...NONE, status: 404 })],
  [
    'is refused to a session that was just begun',
    'the service refused the bot’s session.',
    ({ service }) => service.nextAnswers(Array(200).fill({ status: 401 }), '1007'),
  ],
  [
    'is too large',
    'too large to read.',
    ({ service }) => {
      service.shelve('1007', SHELF[1016] ?? NONE);
      service.nextAnswers(['huge'], '1007');
    },
  ],
  [
    'meets a service that is away until the limit',
    'the service failed.',
    ({ service }) => service.nextAnswers(Array(200).fill({ status: 503 }), '1007'),
  ],
  [
    'is processed until the limit',
    'is still being processed: Unpacking.',
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
  expect(message.text).toContain('2 of 3 are ready. 31 hits on both; 2 more only on lb-b (1 critical).');
  expect(lineOf(message, '1007')).toContain(line);
  expect(textsOf(message.blocks, 'plain_text')).toContain(
    /failed|Unpacking/.test(line) ? 'Keep waiting' : 'Try again',
  );
});

test('A refused login is the line of each, costs one login, and can be tried again', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const message = await ask(world, '1014 1015 1007');
  expect(linesOf(message)).toEqual([...['1014', '1015', '1007'].map((id) => `⛔\u00a0${id}: login failed.`)]);
  expect(offers(message)).toEqual(['ask-again']);
  expect(world.service.records.logins).toHaveLength(1);
});

test.for([
  ['the form', 'look-up-snapshot'],
  ['the shortcut on a message', 'diagnose-snapshot'],
] as const)('Which of both have a CVE is asked by %s, too', async ([, callbackId], { world }) => {
  shelvePair(world);
  const { message: named } = await world.slack.say({ text: 'Uploaded 10012345 and 10012346' });
  const on = callbackId === 'diagnose-snapshot' ? { message: named } : {};
  await world.slack.shortcut({ callbackId, ...on });
  const view = await modal(world, 'Search for', 'ana');
  const values = { id: '10012345 10012346', 'search-for': 'CVE-2026-10128' };
  const where = callbackId === 'look-up-snapshot' ? { where: SUPPORT } : {};
  await world.slack.submit({ view, values: { ...values, ...where } });
  const message = await reads(world, 'Snapshots 10012345, 10012346');
  expect(message.text).toContain('Yes: CVE-2026-10128 is a hit on lb-b; checked and not a hit on lb-a');
});
