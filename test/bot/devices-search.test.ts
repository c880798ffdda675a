import { expect } from 'vitest';
import type { OpenView } from '../emulators/slack/model.ts';
import { reads, small } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { DAY_MS, shelveAnalysis } from '../support/following.ts';
import { linesOf, openHome } from '../support/home.ts';
import { devicesOf, lookedUp } from '../support/own-devices.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const CVE = 'CVE-2026-10000';
const MINUTE_MS = 60_000;

/** Searches all devices in their window, and returns the window once it shows `says`. */
async function search(world: World, sought: string, says: string | RegExp): Promise<OpenView> {
  const view = await devicesOf(world);
  await world.slack.submit({ view, values: { search: sought } });
  return showing(world, says);
}

function showing({ slack }: World, says: string | RegExp, user = 'ana'): Promise<OpenView> {
  return slack.waitFor(
    () => slack.modals(user).find((open) => linesOf(open).join('\n').search(says) !== -1),
    `a window with ${says}`,
  );
}

/** The rows of the window, without the button and the time of each. */
const rows = (view: OpenView) =>
  linesOf(view)
    .slice(1)
    .map((line) => line.replace(/<!date\^\d+\^as of [^>]+>Look up again$/, 'as of then'));

const yes = (host: string, basis: string) =>
  `🔴\u00a0*${host}*\nYes: ${CVE} is a critical hit (H00040009)\n${basis} · as of then`;

test('One search answers for all devices, those with hits first, from what is kept', async ({ world }) => {
  shelveAnalysis(world, '3001', { D1: 'LOW' });
  await lookedUp(world, '1002', '3001', '1001', '1010');
  const asked = world.service.records.requests.length;
  expect(rows(await search(world, CVE, /hits? on/))).toEqual([
    `${CVE}: hits on 2 of 4 devices`,
    yes('edge-10.example.com', '1010 · 17.1.1'),
    yes('edge-7.example.com', '1001 · 17.1.3.3'),
    expect.stringContaining('edge-9.example.com*\nNo hit or check names CVE-2026-10000\n3001'),
    `✅\u00a0*edge-2.example.com*\n${CVE} was checked and is not a hit\n1002 · 17.1.3.3 · as of then`,
  ]);
  expect(rows(await search(world, 'certificate', /certificate: hits on/)).join()).toContain(
    '“certificate” is in 3 of 37 hits\nAnd in 14 of 210 passed checks',
  );
  expect(world.service.records.requests).toHaveLength(asked);
});

test('A search reads again what is no longer kept, and says of each device without a result why', async ({
  open,
}) => {
  const world = await open({ variables: { RESULT_MINUTES: '1' } });
  shelveAnalysis(world, '3001', { D1: 'LOW' }, { host: 'core-1.example.com', serial: 'chs3001' });
  shelveAnalysis(world, '3002', { D2: 'LOW' }, { host: 'core-2.example.com', serial: 'chs3002' });
  await lookedUp(world, '1001', '1002', '3001', '3002');
  world.clock.ahead = DAY_MS;
  // All four results have expired. The service now still processes 3001 and has no 3002.
  world.service.shelve('3001', small({ forMs: 'forever' }));
  world.service.nextAnswers([{ status: 404 }], '3002');
  const before = world.service.records.requests.length;
  expect(rows(await search(world, CVE, '4 devices, 2 without a result'))).toEqual([
    `${CVE}: hits on 1 of 4 devices, 2 without a result`,
    expect.stringContaining('edge-7'),
    expect.stringMatching(/core-2.example.com\*\nNo result: not found\.\n3002/),
    expect.stringMatching(/core-1.example.com\*\nNo result yet: search again later\.\n3001/),
    expect.stringContaining('edge-2'),
  ]);
  expect(world.service.records.requests.length - before).toBe(4);
});

test('The window shows progress; a closed one ends the search, and what was read is kept', async ({
  open,
}) => {
  const world = await open({ variables: { RESULT_MINUTES: '60' } });
  await lookedUp(world, '1001', '1002', '1010');
  world.clock.ahead = DAY_MS;
  const before = world.service.records.requests.length;
  const release = world.service.hold();
  const view = await search(world, CVE, /0 of 3 devices so far/);
  await world.slack.closeView(view);
  release();
  await search(world, CVE, /hits on 2 of 3 devices$/m);
  // The second search used what the first one had read.
  expect(world.service.records.requests.length - before).toBe(3);
  expect(JSON.stringify(world.slack.records.calls)).not.toContain('not affected');
});

test('A second search in the window replaces the first', async ({ world }) => {
  await lookedUp(world, '1001', '1002');
  world.clock.ahead = DAY_MS;
  const release = world.service.hold();
  const view = await search(world, CVE, /0 of 2 devices so far/);
  await world.slack.submit({ view, values: { search: 'certificate' } });
  await showing(world, /certificate: 0 of 2 devices so far/);
  release();
  await showing(world, /certificate: hits on 1 of 2 devices$/m);
  // The update of the earlier search is refused, because the window has changed since.
  await eventually(() =>
    expect(JSON.stringify(world.slack.records.calls.map(({ answer }) => answer))).toContain('hash_conflict'),
  );
  await modal(world, 'certificate: hits on', 'ana');
});

test('The answer stays although Slack carries out the acknowledgement of the form after the next update', async ({
  world,
}) => {
  await lookedUp(world, '1001', '1002');
  world.slack.obeyAfter(100);
  await search(world, CVE, /hits on 1 of 2 devices$/m);
});

test('An empty search lists the devices again', async ({ world }) => {
  await lookedUp(world, '1001');
  await search(world, CVE, 'hits on 1 of 1 device');
  await search(world, '', '2 critical, 11 high · 1001');
});

test('A hit that only mentions the CVE does not count, and no device is called not affected', async ({
  world,
}) => {
  const system = { chassisSerialNumber: 'chs4001', hostname: 'core-4.example.com', platform: 'C117' };
  const hit = {
    name: 'D1',
    match: true,
    importance: 'HIGH',
    header: 'A hit',
    summary: 'Unlike CVE-2026-4242.',
  };
  const document = { system, diagnostics: [hit] };
  world.service.shelve('4001', { title: 'One', purpose: 'Written by a test.', document });
  await lookedUp(world, '4001');
  expect(rows(await search(world, 'CVE-2026-4242', 'hits on'))).toEqual([
    'CVE-2026-4242: hits on 0 of 1 device',
    '*core-4.example.com*\nNo hit or check names CVE-2026-4242; only the text of D1 mentions it\n4001 · as of then',
  ]);
});

test('A search reads one device at a time, and people’s lookups go before the next one', async ({ open }) => {
  const variables = { SERVICE_CONCURRENCY: '1', RESULT_MINUTES: '1' };
  const world = await open({ variables, timing: { progressAfterMs: 1 } });
  await lookedUp(world, '1001', '1002');
  world.clock.ahead = 2 * MINUTE_MS;
  const asked = world.service.records.requests.length;
  const release = world.service.hold();
  await search(world, CVE, /0 of 2 devices so far/);
  await eventually(() => expect(world.service.records.requests).toHaveLength(asked + 1));
  const ids = ['1010', '1011', '1014'];
  for (const text of ids) await world.slack.command({ text, user: 'ben' });
  for (const id of ids) await reads(world, `Looking up snapshot ${id}`);
  release();
  await showing(world, /hits on 1 of 2 devices$/m);
  const order = world.service.records.requests.slice(asked).map(({ id }) => id);
  expect([order[0], order.slice(1, 4).toSorted(), order[4]]).toEqual(['1002', ids, '1001']);
});

test('People can search their own devices although ALLOWED_CHANNELS names only some channels', async ({
  open,
}) => {
  const world = await open({ variables: { ALLOWED_CHANNELS: SUPPORT } });
  await lookedUp(world, '1001');
  await search(world, CVE, 'hits on 1 of 1 device');
  await world.slack.click({ view: await openHome(world), actionId: 'my-devices' });
  const view = await showing(world, '2 critical, 11 high · 1001');
  await world.slack.submit({ view, values: { search: CVE } });
  await world.slack.click({
    view: await showing(world, 'hits on 1 of 1 device'),
    actionId: 'look-up-again-1001',
    value: '1001',
  });
  await reads(world, '37 hits', { channel: '@ana' });
});
