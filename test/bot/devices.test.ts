import { expect } from 'vitest';
import { fromBot, reads } from '../support/bot-messages.ts';
import { modal, told } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { DAY_MS, shelveAnalysis } from '../support/following.ts';
import { home, linesOf, openHome } from '../support/home.ts';
import { devicesOf, lookedUp } from '../support/own-devices.ts';

const test = sequential.concurrent;

const DAY = String.raw`<!date\^\d+\^{date_short_pretty}\|[^>]+>`;
const line = (words: string) => expect.stringMatching(new RegExp(`^${words}`.replaceAll('DAY', DAY)));

test('The window lists the devices that a person looked up, the worst first', async ({ world }) => {
  await lookedUp(world, '1002 1014', 'compare 1010 1011', '1001');
  await ask(world, '1016', 'ben');
  await world.slack.click({ message: await ask(world, '1011', 'ben'), actionId: 'own', user: 'ben' });
  await eventually(() => expect(JSON.stringify(fromBot(world))).toContain('*Owner:*'));
  expect(linesOf(await devicesOf(world)).slice(1)).toEqual([
    line('🔴\u00a0\\*edge-7.example.com\\*\\n2 critical, 11 high · 1001 · DAY'),
    line('🔴\u00a0\\*lb-a.example.com\\*\\n1 critical, 9 high · 1014 · DAY'),
    line('🔶\u00a0\\*edge-10.example.com\\*\\n2 high · 1011 · DAY · Owner: <@U0BEN>'),
    line('✅\u00a0\\*edge-2.example.com\\*\\nNo hits · 1002 · DAY'),
  ]);
});

test('A device whose result does not list all its hits has neither a mark nor a count', async ({ world }) => {
  shelveAnalysis(world, '2000', { D1: 'HIGH' });
  shelveAnalysis(world, '2001', { D1: 'HIGH' }, { stated: 2 });
  for (const id of ['2000', '2001']) await lookedUp(world, id);
  expect(linesOf(await devicesOf(world)).slice(1)).toEqual([
    line('\\*edge-9.example.com\\*\\nNot all hits are known · 2001 · DAY'),
  ]);
});

test('“Look up again” answers directly, and the device stays in the list', async ({ world }) => {
  await lookedUp(world, '1001');
  const view = await devicesOf(world);
  await world.slack.click({ view, actionId: 'look-up-again-1001', value: '1001' });
  await modal(world, 'answer you in a direct message', 'ana');
  await reads(world, '37 hits', { channel: '@ana' });
  expect(fromBot(world)).toHaveLength(1);
  await world.slack.click({ view: await openHome(world), actionId: 'look-up-again-1001', value: '1001' });
  await eventually(() => expect(fromBot(world, '@ana')).toHaveLength(2));
  expect(linesOf(await devicesOf(world))).toHaveLength(2);
});

test('Nobody sees what others looked up, and guests see no list', async ({ world }) => {
  await ask(world, '1001');
  expect(linesOf(await devicesOf(world, 'ben'))).toEqual(['The devices that you look up are listed here.']);
  expect((await home(world, 'ben')).join()).not.toContain('edge-7');
  const { body } = await world.slack.command({ text: 'devices', user: 'mia' });
  expect(body).toContain('doesn’t answer guests');
});

test('A snapshot that was read only in a window is listed, and its device is found by name', async ({
  world,
}) => {
  await world.slack.command({ text: '1001 me' });
  await world.slack.closeView(await modal(world, 'All 37 hits', 'ana'));
  await eventually(async () => {
    const lines = await home(world);
    expect(lines.at(-1)).toMatch(/^🔴\u00a01001 · edge-7.example.com\n2 critical, 11 high · /);
  });
  expect(linesOf(await devicesOf(world)).slice(1)).toEqual([line('🔴\u00a0\\*edge-7.example.com')]);
  const { body } = await world.slack.command({ text: 'edge-7' });
  expect(body).toContain('“edge-7” is edge-7.example.com');
});

test('A device is listed with its newest snapshot for HISTORY_DAYS; a lookup of passed checks alone does not count', async ({
  open,
}) => {
  const world = await open({ variables: { HISTORY_DAYS: '5' } });
  shelveAnalysis(world, '3002', { D1: 'LOW' });
  shelveAnalysis(world, '3001', { D1: 'HIGH', D2: 'HIGH' });
  await lookedUp(world, '3002', '3001', '1002 miss');
  expect(linesOf(await devicesOf(world)).slice(1)).toEqual([
    line('⚪\u00a0\\*edge-9.example.com\\*\\n1 low · 3002'),
  ]);
  world.clock.ahead = 3 * DAY_MS;
  await lookedUp(world, '1014');
  world.clock.ahead = 6 * DAY_MS;
  expect(linesOf(await devicesOf(world)).slice(1)).toEqual([line('🔴\u00a0\\*lb-a.example.com')]);
});

test('A mention that asks for the devices is told which command lists them', async ({ world }) => {
  await world.slack.mention({ text: 'devices' });
  await told(world, SUPPORT, 'type /snapshot devices', 'ana');
});

test('Home lists what a person owns, and hands it over or unassigns it in the form of the report', async ({
  world,
}) => {
  const message = await ask(world, '1001');
  await world.slack.click({ message, actionId: 'own', user: 'ben' });
  const mine = (user: string, words: string) =>
    eventually(async () => expect((await home(world, user)).join('\n')).toMatch(new RegExp(words)));
  await mine('ben', 'Mine\n🔴\u00a01001 · edge-7.example.com p\\d+\n2 critical, 11 high · mine since 2');
  expect(await home(world)).not.toContain('Mine');
  const handOver = async (user: string) => {
    await world.slack.click({ view: await openHome(world, user), actionId: 'hand-over-1001', user });
    return modal(world, 'new-owner', user);
  };
  await world.slack.submit({ view: await handOver('ben'), values: { 'new-owner': 'U0ANA' } });
  const word = await reads(world, 'is on it now: Snapshot 1001 of edge-7');
  expect([word.threadTs, word.text]).toEqual([
    message.ts,
    expect.stringMatching(/^<@U0ANA>.+by <@U0BEN>\.$/),
  ]);
  await eventually(() => expect(JSON.stringify(world.slack.home('ben'))).not.toContain('Mine'));
  await mine('ana', 'Mine\n.+edge-7');
  await world.slack.click({ view: await handOver('ana'), actionId: 'unassign', user: 'ana' });
  await modal(world, 'Nobody is on it now', 'ana');
  await eventually(() => expect(JSON.stringify(world.slack.home('ana'))).not.toContain('Mine'));
  expect(JSON.stringify((await ask(world, '1001')).blocks)).not.toContain('Owner:');
});

test('On the Home tab nothing is handed to somebody who may not use the bot', async ({ world }) => {
  await world.slack.click({ message: await ask(world, '1001'), actionId: 'own' });
  await eventually(async () => expect(await home(world)).toContain('Mine'));
  await world.slack.click({ view: await openHome(world), actionId: 'hand-over-1001' });
  const view = await modal(world, 'new-owner', 'ana');
  expect(view.view.title).toMatchObject({ text: 'Hand over 1001 · edge-7' });
  await world.slack.submit({ view, values: { 'new-owner': 'U0GUEST' } });
  await reads(world, '<@U0GUEST> may not use this bot here', { channel: '@ana' });
  expect(await home(world)).toContain('Mine');
});

test('A new owner who can’t be mentioned in the thread is told directly', async ({ world }) => {
  await world.slack.click({ message: await ask(world, '1001'), actionId: 'own' });
  await eventually(async () => expect(await home(world)).toContain('Mine'));
  await world.slack.click({ view: await openHome(world), actionId: 'hand-over-1001' });
  world.slack.failNext('chat.postMessage', { error: 'is_archived' });
  await world.slack.submit({
    view: await modal(world, 'new-owner', 'ana'),
    values: { 'new-owner': 'U0BEN' },
  });
  await reads(world, '^<@U0BEN> is on it now', { channel: '@ben', viewer: 'ben' });
  expect(fromBot(world).filter(({ text }) => text.includes('is on it'))).toEqual([]);
});

test('The window holds the 50 devices that were looked up last, or are owned', async ({ open }) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '1000' } });
  const ids = Array.from({ length: 54 }, (_, at) => String(4_001 + at));
  for (const id of ids)
    shelveAnalysis(world, id, { D1: 'LOW' }, { serial: `chs${id}`, host: `host-${id}.example.com` });
  await world.slack.click({ message: await ask(world, '4001'), actionId: 'own', user: 'ana' });
  await eventually(async () => expect(await home(world)).toContain('Mine'));
  for (let first = 0; first < ids.length; first += 6)
    await lookedUp(world, ids.slice(first, first + 6).join(' '));
  const lines = linesOf(await devicesOf(world)).slice(1);
  expect(lines).toHaveLength(50);
  expect(lines.join()).toContain('host-4054.example.com');
  expect(lines.join()).toContain('host-4001.example.com');
  expect(lines.join()).not.toMatch(/host-400[2-5]/);
  expect(await home(world)).toContain('Mine');
});
