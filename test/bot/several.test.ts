import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { unitDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { records } from '../emulators/slack/json.ts';
import { atRest, measures } from '../support/at-rest.ts';
import { reads } from '../support/bot-messages.ts';
import { choicesOf, choose, modal, reading, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import { CLUSTER, linesOf, requests, rowsOf, shelveUnit } from '../support/several.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const EIGHT = '1014 1015 1016 1010 1011 1012 1013 1002';
const SHELF = demoShelf();
const NONE = { title: '', purpose: '' };

test('Several snapshots share one message, edited only for news, also through a restart, with one poll each', async ({
  world,
}) => {
  shelveUnit(world, 'One.');
  await world.slack.command({ text: CLUSTER });
  const first = await shown(world, 'processed: One.');
  expect(linesOf(first).slice(0, 5)).toEqual([
    '# Snapshots 1014, 1016, 1017, 1007',
    '2 of 4 are ready. 27 hits on both; 4 more only on lb-a.',
    '⏳ 1017 is still being processed: One.',
    '⛔ 1007: the bot’s account has no access.',
    '# On both: 27 hits',
  ]);
  expect(rowsOf(first)).toEqual([
    '1014 lb-a | 1 | 9 | 14 | 7 | 17.1.3.3',
    '1016 lb-c | 1 | 9 | 12 | 5 | 17.1.1',
  ]);
  // Ben waits for the same poll: the service would record an early second poll as a breach.
  await world.slack.command({ text: '1017', user: 'ben', channel: 'C0WARROOM' });
  const polls = requests(world)[1017] ?? 0;
  await eventually(() => expect(requests(world)[1017]).toBeGreaterThan(polls + 2));
  expect(world.slack.messages(SUPPORT)[0]?.history).toEqual([]);
  shelveUnit(world, 'Two.');
  await shown(world, 'processed: Two.');
  await world.restart();
  shelveUnit(world);
  const final = await shown(world, /3 of 4 are ready/);
  await atRest(world.address());
  expect(rowsOf(final)[2]).toBe('1017 lb-d | 1 | 9 | 14 | 6 | 17.1.3.3');
  expect(final.history).toHaveLength(2);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  expect(requests(world)).toMatchObject({ 1014: 1, 1016: 1, 1007: 1 });
});

test('Hits are grouped by the devices that have them, and the verdict stands first and last', async ({
  world,
}) => {
  const message = await ask(world, '1014 1015 1016');
  const verdict = '27 hits on all 3; 2 more only on lb-b (1 critical); 4 more on lb-a and lb-b';
  expect(linesOf(message)).toEqual([
    '# Snapshots 1014, 1015, 1016',
    verdict,
    '# On all 3: 27 hits',
    '🔴 Configuration utility vulnerability CVE-2026-10000',
    expect.stringMatching(/^→ Upgrade to version 17\.1\.3\.4 or later/),
    '🔶 Device group synchronization memory exhaustion vulnerability CVE-2026-10004',
    '→ Upgrade to 17.1.3.4.',
    ...Array(8).fill(expect.stringMatching(/^🔶 \[.+\]$/u)),
    'And 17 more: 12 medium, 5 low',
    '# Only on lb-b: 2 hits',
    '🔴 The fan tray has failed or is about to fail and has to be replaced',
    expect.stringMatching(/^→ Open a support case/),
    expect.stringMatching(/^🔶 \[Remote authentication service/u),
    '# On lb-a and lb-b: 4 hits',
    '2 medium, 2 low',
  ]);
  expect(message.text).toContain(`Snapshots 1014, 1015, 1016: ${verdict}`);
  expect(textsOf(message.blocks.at(-1), 'plain_text')).toEqual([verdict]);
  expect(requests(world)).toEqual({ 1014: 1, 1015: 1, 1016: 1 });
});

test('One window lists the hits of all devices, each with who has it and the evidence of that device', async ({
  world,
}) => {
  const message = await ask(world, '1014 1015');
  await world.slack.click({ message, actionId: 'all-hits', user: 'ben' });
  const list = await modal(world, 'All 33 hits');
  expect([...choicesOf({ blocks: records(list.view.blocks) }, 'filter').keys()]).toEqual([
    'All 33 hits',
    'On both: 31',
    'Only on lb-b: 2',
    '2 critical',
    '10 high',
    '14 medium',
    '7 low',
    '10 with CVEs',
  ]);
  await world.slack.click({ view: list, actionId: 'filter', value: 'group-1', user: 'ben' });
  await eventually(() => {
    const shown = textsOf(world.slack.modals('ben')[0]?.view.blocks, 'plain_text');
    expect(shown.filter((text) => text.includes('\nOnly on lb-b\n'))).toHaveLength(2);
    expect(shown.join()).not.toContain('\nOn both');
  });
  const [some = list] = world.slack.modals('ben');
  await world.slack.click({ view: some, actionId: 'details-0', user: 'ben' });
  await modal(world, 'uncorrectable error count');
  expect(world.slack.messages(SUPPORT)).toMatchObject([{ history: [] }]);
});

test.for([
  ['critical', 'Only critical: 1 hit on both; 1 more only on lb-b (1 critical)'],
  ['certificate', /^“certificate”: \d+ hits on both$/],
  ['critical certificate', 'Only critical “certificate”: No hits on any of 2 snapshots'],
  ['CVE-2026-10128', 'Yes: CVE-2026-10128 is a hit on lb-b; checked and not a hit on lb-a'],
  ['CVE-2026-10000', 'Yes: CVE-2026-10000 is a hit on both'],
  ['CVE-2020-1000', 'No hit or check names CVE-2020-1000 on any of 2 snapshots'],
  // All checks of each snapshot are read, although `hit` asks for hits alone.
  ['hit CVE-2026-10456', '✅ CVE-2026-10456: checked and not a hit on both'],
] as const)('“%s” of two says: %s', async ([words, said], { world }) => {
  const message = await ask(world, `1014 1015 ${words}`);
  expect(linesOf(message)).toContainEqual(typeof said === 'string' ? said : expect.stringMatching(said));
  // The small print repeats the verdict, with the part that it covers.
  expect(JSON.stringify(message.blocks.at(-1))).not.toMatch(/"\d+ hits? on both|"No hits? on/);
});

test.for([
  ['1014 1015 CVE-2026-10128', 'All 33 hits'],
  ['1014 1015 critical', 'All 33 hits'],
  ['1014 1015 miss certificate', /^All \d{3} passed checks$/],
] as const)('The button of “%s” says what its window lists: all', async ([text, label], { world }) => {
  const message = await ask(world, text);
  const button = objectsIn(message.blocks).find(({ action_id }) => action_id === 'all-hits');
  const [said] = textsOf(button, 'plain_text');
  expect(said).toMatch(label);
  await world.slack.click({ message, actionId: 'all-hits', user: 'ben' });
  const { view } = await modal(world, '"callback_id":"list"');
  expect([...choicesOf({ blocks: records(view.blocks) }, 'filter').keys()][0]).toBe(said);
});

test('“miss” of two counts the passed checks, and shows them neither as hits nor in a table of hits', async ({
  world,
}) => {
  const message = await ask(world, '1014 1015 miss');
  expect(message.text).toBe('Snapshots 1014, 1015: 214 passed checks on both; 2 more only on lb-a');
  expect(JSON.stringify(message.blocks)).not.toContain('"table"');
});

/** Puts documents on the shelf, each of one device with these hits. */
function shelve(
  { service }: World,
  units: Readonly<Record<string, readonly [host: string, serial: string, ...hits: DocumentDiagnostic[]]>>,
): void {
  for (const [id, [hostname, chassisSerialNumber, ...diagnostics]] of Object.entries(units))
    service.shelve(id, { ...NONE, document: { system: { chassisSerialNumber, hostname }, diagnostics } });
}

test('Of analyses that list no check, the report of several does not say that there are no hits', async ({
  world,
}) => {
  shelve(world, { 2001: ['lb-a', 'chs1'], 2002: ['lb-b', 'chs2'] });
  expect(linesOf(await ask(world, '2001 2002'))[1]).toBe('Not all hits are known');
});

const ONE: DocumentDiagnostic = { name: 'D0001', match: true, importance: 'HIGH', header: 'One' };

test('Devices are named by host, else serial number, else id; the worst rating of a hit counts', async ({
  world,
}) => {
  shelve(world, {
    10012345: ['lb-a', 'chs1', ONE],
    10012346: ['lb-b', 'chs1', { ...ONE, importance: 'CRITICAL', header: 'One, critical' }],
    10012347: ['', 'ab-ß1', ONE],
    10012348: ['', '', ONE],
    10012349: ['lb-a', 'chs2'],
  });
  const link = 'https://service.example.com/snapshots/10012345';
  const message = await ask(world, `<${link}> 10012346 10012347 10012348 10012349`);
  expect(rowsOf(message).map((row) => row.split(' | ')[0])).toEqual([
    '10012345',
    '10012346 lb-b',
    '10012347 ab-ß1',
    '10012348',
    '10012349',
  ]);
  expect(linesOf(message)).toContain('🔴 One, critical');
  expect(linesOf(message)[1]).toBe(
    'No hit on all 5; 1 hit on 10012345, lb-b, ab-ß1 and 10012348 (1 critical)',
  );
});

test('Hits of all devices stand first; a hit leaves the list only once it is accepted on each device', async ({
  world,
}) => {
  const own: DocumentDiagnostic = { name: 'D0002', match: true, importance: 'CRITICAL', header: 'Two' };
  shelve(world, { 2001: ['lb-a', 'chs1', ONE], 2002: ['lb-b', 'chs2', ONE, own] });
  const headings = ['# On both: 1 hit', '🔶 One', '# Only on lb-b: 1 hit', '🔴 Two'];
  const lines = async () => linesOf(await ask(world, '2001 2002')).slice(2);
  expect(await lines()).toEqual(headings);
  const accept = async (id: string, hit: number) => {
    const message = await ask(world, id);
    await world.slack.click({ message, actionId: `details-${hit}` });
    await world.slack.click({ view: await modal(world, 'Accept…', 'ana'), actionId: 'accept' });
    const view = await modal(world, 'Until when', 'ana');
    await world.slack.submit({
      view,
      values: { 'accept-end': '30', 'accept-reason': 'A spare is ordered.' },
    });
    await modal(world, 'Accepted by', 'ana');
  };
  await accept('2001', 0);
  expect(await lines()).toEqual(headings);
  await accept('2002', 1);
  expect(await lines()).toEqual(['# On both: 1 hit', '1 accepted', ...headings.slice(2)]);
});

test('Eight devices with the longest texts fit a message, and five hits are whole', async ({ world }) => {
  const hits = (unit: number): DocumentDiagnostic[] =>
    Array.from({ length: 60 }, (_, at) => ({
      ...{
        name: `D${at < 20 ? '' : unit}${at}`,
        match: true,
        importance: at % 6 === 0 ? 'CRITICAL' : 'HIGH',
      },
      ...{ header: `${at} ${'title '.repeat(40)}`, action: `Do ${'this '.repeat(80)}` },
      solutions: [{ url: `https://support.acme.example/s/article/K0001${at}` }],
    }));
  const ids = Array.from({ length: 8 }, (_, unit) => String(2001 + unit));
  shelve(
    world,
    Object.fromEntries(ids.map((id, unit) => [id, [`${'host'.repeat(10)}-${unit}`, id, ...hits(unit)]])),
  );
  const message = await ask(world, ids.join(' '));
  expect(rowsOf(message)).toHaveLength(8);
  expect(linesOf(message).filter((line) => line.startsWith('→ '))).toHaveLength(5);
  expect(linesOf(message)[1]).toMatch(/^20 hits on all 8; .* more elsewhere \(\d+ critical\)$/);
  expect(linesOf(message)).toContain('# Elsewhere: 200 hits');
});

const refusedAs = (kind: string) => `snapshot_bot_deliveries_total{kind="${kind}",outcome="refused"} 1`;

test.for([
  ['command', (world: World) => world.slack.command({ text: EIGHT })],
  ['command', (world: World) => world.slack.command({ text: `${EIGHT} me` })],
  ['mention', (world: World) => world.slack.mention({ text: EIGHT, channel: SUPPORT })],
] as const)(
  'More snapshots in one %s than the share has room for are refused',
  async ([kind, act], { open }) => {
    const world = await open({ variables: { COMMANDS_PER_MINUTE: '4' } });
    await act(world);
    await measures(world, refusedAs(kind));
    expect(world.service.records.requests).toEqual([]);
  },
);

test('“Try again” looks up the failed ones alone, “Refresh” looks up all, and each counts as a command', async ({
  open,
}) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '6' } });
  const failed = await ask(world, '1014 1015 1007');
  world.service.shelve('1007', SHELF[1016] ?? NONE);
  await world.restart({ COMMANDS_PER_MINUTE: '2' });
  const refusals = () =>
    world.slack.messages(SUPPORT, 'ben').filter(({ text }) => text.includes('more than Snapshot answers'));
  for (const [at, press] of [
    () => world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' }),
    () => choose(world, failed, 'more', 'Refresh'),
  ].entries()) {
    await press();
    await world.slack.waitFor(() => refusals()[at], 'a refusal');
  }
  await world.restart();
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  const final = await reading(world, failed, 'on all 3');
  expect(offers(final)).not.toContain('ask-again');
  expect(requests(world)).toEqual({ 1014: 1, 1015: 1, 1007: 2 });
  await choose(world, final, 'more', 'Refresh');
  await eventually(() => expect(requests(world)).toEqual({ 1014: 2, 1015: 2, 1007: 3 }));
});

test('Only the asker can cancel a wait for several, and other people who wait for one of the snapshots wait on', async ({
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
  shelveUnit(world);
  await reads(world, 'Snapshot 1017 of lb-d', { channel: 'C0WARROOM' });
});

test('A wait for several that reached its limit goes on in its message for whoever presses “Keep waiting”', async ({
  open,
}) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.01' } });
  shelveUnit(world, 'One.');
  await world.slack.command({ text: '1014 1017' });
  const given = await world.slack.waitFor(
    () =>
      world.slack.messages(SUPPORT).find((each) => JSON.stringify(each.blocks).includes('"Keep waiting"')),
    'an offer to keep waiting',
  );
  expect(linesOf(given)).toContain('⚠️ 1017 is still not ready: One.');
  await world.restart({ WAIT_LIMIT_MINUTES: '60' });
  shelveUnit(world);
  await world.slack.click({ message: given, actionId: 'ask-again', user: 'ben' });
  expect(rowsOf(await reading(world, given, 'on both'))).toHaveLength(2);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
});

test('A wait for several without any result says at its limit that there is none', async ({ open }) => {
  const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.01' } });
  shelveUnit(world, 'One.');
  world.service.nextAnswers(Array(200).fill({ status: 503 }), '1014');
  await world.slack.command({ text: '1014 1017' });
  const given = await shown(world, 'None of 2 snapshots has a result.');
  expect(given.text).toMatch(/\n1014: the service failed\.\n1017 is still not ready: One\.$/);
  expect(offers(given)).toEqual(['ask-again']);
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
    // By then the bot has sent all requests that it sends at once.
    await shown(world, 'Looking up');
    expect(world.service.records.requests).toHaveLength(1 + most);
    release();
    const message = await shown(world, 'on all 8');
    expect(rowsOf(message)).toHaveLength(8);
    expect(world.service.records.requests).toHaveLength(1 + 8);
    const refused = await world.slack.command({ text: EIGHT });
    expect(refused.body).toContain('more than Snapshot answers in a minute');
    await measures(world, refusedAs('command'));
  },
);

const FAULTS: readonly [what: string, line: string | RegExp, act: (world: World) => unknown][] = [
  ['is not known', '⛔ 1007: not found.', ({ service }) => service.shelve('1007', { ...NONE, status: 404 })],
  [
    'is refused to a session that was just begun',
    /^⛔ 1007: the service refused the bot’s session/,
    ({ service }) => service.nextAnswers(Array(200).fill({ status: 401 }), '1007'),
  ],
  [
    'is too large',
    '⛔ 1007: too large to read.',
    ({ service }) => {
      service.shelve('1007', SHELF[1016] ?? NONE);
      service.nextAnswers(['huge'], '1007');
    },
  ],
  [
    'meets a service that is away until the limit',
    /^⚠️ 1007: the service failed/,
    ({ service }) => service.nextAnswers(Array(200).fill({ status: 503 }), '1007'),
  ],
  [
    'is processed until the limit',
    '⚠️ 1007 is still not ready: Unpacking.',
    ({ service }) =>
      service.shelve('1007', { ...NONE, processing: { forMs: 'forever', reasons: ['Unpacking.'] } }),
  ],
];

test.for(FAULTS)(
  'A snapshot that %s has its own sentence beside the other, ready ones: %s',
  async ([, line, act], { open }) => {
    const world = await open({ variables: { WAIT_LIMIT_MINUTES: '0.02' } });
    act(world);
    await world.slack.command({ text: '1014 1015 1007' });
    const message = await world.slack.waitFor(
      () => world.slack.messages(SUPPORT).find((each) => offers(each).includes('ask-again')),
      'a final message',
    );
    expect(linesOf(message)).toContain(
      '2 of 3 are ready. 31 hits on both; 2 more only on lb-b (1 critical).',
    );
    expect(linesOf(message)).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  },
);

test('The reply that ends a wait for several says how many have a result', async ({ open }) => {
  const world = await open({ timing: { notifyAfterMs: 0 } });
  shelveUnit(world, 'Unpacking.');
  await world.slack.command({ text: CLUSTER });
  await shown(world, '2 of 4 are ready');
  shelveUnit(world);
  await shown(world, 'The group of snapshots 1014, 1016, 1017 and 1007 has results for 3 of 4.');
});

test('A refused login is said of each, costs one login, and can be tried again', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const message = await ask(world, '1014 1015 1007');
  expect(linesOf(message).slice(1)).toEqual([
    'None of 3 snapshots has a result.',
    ...['1014', '1015', '1007'].map((id) => `⛔ ${id}: login failed.`),
  ]);
  expect(offers(message)).toEqual(['ask-again']);
  expect(world.service.records.logins).toHaveLength(1);
});

test.for(['look-up-snapshot', 'diagnose-snapshot'])(
  'Which of two devices have a CVE can also be asked by %s',
  async (callbackId, { world }) => {
    for (const [id, host] of [
      ['10012345', 'lb-a'],
      ['10012346', 'lb-b'],
    ] as const)
      world.service.shelve(id, { ...NONE, document: unitDocument(host) });
    const isOfMessage = callbackId === 'diagnose-snapshot';
    const { message } = await world.slack.say({ text: 'Has 10012345 or 10012346 CVE-2026-10128?' });
    await world.slack.shortcut({ callbackId, ...(isOfMessage && { message }) });
    const view = await modal(world, 'Look up a snapshot', 'ana');
    const values = isOfMessage
      ? { id: '10012345 10012346' }
      : { id: '10012345 10012346 CVE-2026-10128', where: SUPPORT };
    await world.slack.submit({ view, values });
    expect(linesOf(await reads(world, '10012345, 10012346'))).toContain(
      'Yes: CVE-2026-10128 is a hit on lb-b; checked and not a hit on lb-a',
    );
  },
);
