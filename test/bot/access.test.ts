import { expect } from 'vitest';
import type { OpenView } from '../emulators/slack/model.ts';
import { reads, small, writes } from '../support/bot-messages.ts';
import { choose, chooseMore, modal } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import {
  ENTRY_POINTS,
  ENTRY_POINTS_WITHOUT_CHANNEL,
  expectRefused,
  prepare,
} from '../support/entry-points.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

const EVERYWHERE = { ...ENTRY_POINTS, ...ENTRY_POINTS_WITHOUT_CHANNEL };

test.for(Object.entries(ENTRY_POINTS))(
  'ALLOWED_CHANNELS refuses %s in another channel, also on what was posted before',
  async ([, enter], { world }) => {
    const there = await prepare(world, 'ana');
    await world.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
    await expectRefused(there, enter, 'can’t be used in this conversation');
  },
);

test.for(Object.entries(EVERYWHERE))(
  'ALLOWED_USERGROUPS refuses %s of a person who is in none of the groups, over Socket Mode',
  async ([, enter], { open }) => {
    const world = await open({ mode: 'socket' });
    const there = await prepare(world, 'ben');
    await world.restart({ ALLOWED_USERGROUPS: 'S0ONCALL' });
    await expectRefused(there, enter, 'members of certain user groups');
  },
);

test.for(Object.entries(ENTRY_POINTS).filter(([name]) => !name.includes('command')))(
  'A member of another company in a shared channel is refused %s',
  async ([, enter], { world }) => {
    const there = await prepare(world, 'guest', 'C0PARTNERS');
    await expectRefused(there, enter, 'answers only members of the workspace');
  },
);

test('Everything works in an allowed channel for a member of an allowed group', async ({ open }) => {
  const variables = { ALLOWED_CHANNELS: `C0WARROOM, ${SUPPORT}`, ALLOWED_USERGROUPS: 'S0OTHERS,S0ONCALL' };
  const world = await open({ variables });
  world.slack.setUserGroup('S0OTHERS', []);
  const there = await prepare(world, 'ana');
  await world.slack.click({ message: there.result, actionId: 'details-0' });
  await world.slack.click({ view: await modal(world, 'hit 1 of 37', 'ana'), actionId: 'next' });
  await modal(world, 'hit 2 of 37', 'ana');
  expect(JSON.stringify(world.slack.modals())).not.toContain('can’t be used');
  await world.slack.mention({ text: '1012' });
  await reads(world, '1 hit');
});

/** The modal on top, once it has a form. */
function form({ slack }: World): Promise<OpenView> {
  return slack.waitFor(() => slack.modals().find(({ view }) => view.submit !== undefined), 'the modal');
}

test('A modal starts no lookup into a channel that is not allowed', async ({ open }) => {
  const world = await open({ variables: { ALLOWED_CHANNELS: SUPPORT } });
  const { slack } = world;
  for (const values of [
    { id: '1012', where: 'C0WARROOM' },
    { id: '1012', where: 'C0RANDOM' },
    { id: '1012' },
  ]) {
    await slack.shortcut({ callbackId: 'look-up-snapshot' });
    const view = await form(world);
    await slack.submit({ view, values });
    expect(JSON.stringify(slack.modals())).toContain('can’t be used in this conversation');
  }
  expect(world.service.records.requests).toEqual([]);
  await slack.shortcut({ callbackId: 'look-up-snapshot' });
  await slack.submit({ view: await form(world), values: { id: '1012', where: SUPPORT } });
  await reads(world, '1 hit');
});

test('A form is refused if the channel of its message is no longer allowed when it is sent', async ({
  world,
}) => {
  const { slack } = world;
  const { message } = await slack.say({ text: '10012345 or 10012346' });
  await slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  const view = await form(world);
  await world.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await slack.submit({ view, values: { id: '10012345' } });
  expect(JSON.stringify(slack.modals())).toContain('can’t be used in this conversation');
  expect(world.service.records.requests).toEqual([]);
});

test('A window that was opened before its channel was forbidden refuses everything', async ({ world }) => {
  const { result } = await prepare(world, 'ben');
  const words = 'can’t be used in this conversation';
  await world.slack.click({ message: result, actionId: 'details-0', user: 'ben' });
  const details = await modal(world, 'hit 1 of 37');
  await world.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await world.slack.click({ view: details, actionId: 'next', user: 'ben' });
  const refused = await modal(world, words);
  expect(JSON.stringify(refused.view)).not.toContain('hit 1 of 37');
  await world.slack.closeView(refused);
  await world.restart({ ALLOWED_CHANNELS: SUPPORT });
  await chooseMore(world, result, 'Compare with…', 'ben');
  const comparing = await modal(world, 'Compare snapshot');
  await world.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await world.slack.submit({ view: comparing, values: { 'other-id': '1002' } });
  await modal(world, words);
  expect(world.service.records.requests.filter(({ id }) => id === '1002')).toEqual([]);
});

test('The Home tab leaves out lookups from channels that are not allowed any more', async ({ world }) => {
  await ask(world, '1012');
  await world.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await world.slack.openHome();
  const home = await world.slack.waitFor(() => world.slack.home(), 'the Home tab');
  expect(JSON.stringify(home.view)).toContain('Nothing in the last few days.');
});

test('A person without access gets no refusal for a sentence that only mentions the bot', async ({
  open,
}) => {
  const world = await open({ variables: { ALLOWED_CHANNELS: 'C0WARROOM' } });
  await world.slack.mention({ text: 'is great' });
  await world.slack.command({ text: '1012', channel: 'C0WARROOM' });
  await reads(world, '1 hit', { channel: 'C0WARROOM' });
  expect(writes(world)).toEqual(['chat.postMessage']);
});

test('While Slack does not say who is in a group, everybody is refused in time', async ({ open }) => {
  const world = await open({ variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
  world.slack.failNext('usergroups.users.list', 'hang');
  expect(await world.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
  await reads(world, 'can’t check right now');
  expect(world.service.records.requests).toEqual([]);
});

test('After a 429 while a person is checked, the bot says so, and checks again only after the pause', async ({
  world,
}) => {
  const { slack } = world;
  slack.failNext('users.info', { status: 429, retryAfter: 3 });
  await slack.command({ text: '1012', user: 'ana' });
  await reads(world, 'can’t check right now', { viewer: 'ana' });
  await slack.command({ text: '1012', user: 'ben' });
  await reads(world, '1 hit');
  const [limited, allowed] = slack.records.calls.filter(({ method }) => method === 'users.info');
  expect([limited?.status, allowed?.status]).toEqual([429, 200]);
  expect((allowed?.at ?? 0) - (limited?.at ?? 0)).toBeGreaterThan(2_990);
});

test('A mention that could not be checked is answered when Slack delivers it again', async ({ open }) => {
  const world = await open({ variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
  world.slack.failNext('usergroups.users.list', { error: 'internal_error' });
  const [delivery] = (await world.slack.mention({ text: '1012' })).deliveries;
  await reads(world, 'can’t check right now', { viewer: 'ana' });
  if (delivery !== undefined) await world.slack.redeliver(delivery);
  await reads(world, '1 hit');
  expect(world.service.records.requests).toHaveLength(1);
});

test('A direct message of the bot can be used, whatever the allowed channels are', async ({ open }) => {
  const world = await open({ variables: { ALLOWED_CHANNELS: 'C0WARROOM' } });
  const { slack, service } = world;
  service.shelve('2001', small({ forMs: 'forever' }));
  await slack.command({ text: '2001', channel: 'C0WARROOM' });
  await reads(world, 'is still being processed', { channel: 'C0WARROOM' });
  slack.archive('C0WARROOM');
  service.shelve('2001', small());
  const message = await reads(world, '1 hit', { channel: '@ana' });
  const before = world.log.length;
  await choose(world, message, 'more', 'Refresh', 'ana');
  await slack.click({ message, actionId: 'details-0', user: 'ana' });
  await modal(world, 'hit 1 of 1', 'ana');
  const isRefused = () => world.log.slice(before).some((line) => line.includes('"refusal"'));
  expect(isRefused()).toBe(false);
});
