import { expect } from 'vitest';
import type { OpenView } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { DM, fromBot, MODES, reads, small } from '../support/bot-messages.ts';
import { SUPPORT, test as sequential } from '../support/conversation.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const DIAGNOSE = 'diagnose-snapshot';
const LOOK_UP = 'look-up-snapshot';

function modal({ slack }: World, user = 'ana'): Promise<OpenView> {
  return slack.waitFor(() => slack.modals(user).at(-1), 'a modal');
}

function ids(view: OpenView): string[] {
  return JSON.stringify(view.view).match(/(?<="value":")[\d ]+/g) ?? [];
}

for (const mode of MODES) {
  test(`"Diagnose snapshot" starts at once, in the thread of the message, over ${mode}`, async ({ open }) => {
    const world = await open({ mode });
    world.service.shelve('10012345', small({ forMs: 400 }));
    const { message } = await world.slack.say({ text: 'Uploaded 10012345, edge-7 since 2026-11-20' });
    const delivery = await world.slack.shortcut({ callbackId: DIAGNOSE, message, user: 'ben' });
    expect(delivery.acknowledged).toBe(true);
    const answer = await reads(world, '1 hit');
    expect(answer).toMatchObject({ threadTs: message.ts });
    expect(answer.history).toHaveLength(1);
    expect(JSON.stringify(answer.blocks)).toContain('Asked by <@U0BEN>');
    expect(world.slack.modals('ben')).toEqual([]);
  });

  test(`The global shortcut asks for id and conversation, and answers there, over ${mode}`, async ({
    open,
  }) => {
    const world = await open({ mode });
    await world.slack.shortcut({ callbackId: LOOK_UP });
    const view = await modal(world);
    const values = { id: '1001 miss', where: 'C0WARROOM' };
    expect(await world.slack.submit({ view, values })).toMatchObject({ acknowledged: true });
    const answer = await reads(world, '210 checks passed', { channel: 'C0WARROOM' });
    expect(answer.ephemeral).toBeUndefined();
    expect(world.service.records.requests.map(({ set }) => set)).toEqual(['miss']);
    expect(world.slack.modals()).toEqual([]);
  });
}

test('The person chooses one of several ids, and is answered in the thread', async ({ world }) => {
  const { message: parent } = await world.slack.say({ text: 'edge-7 is down' });
  const said = { text: 'before: 10012345, after: 10012346', threadTs: parent.ts };
  const { message } = await world.slack.say(said);
  world.service.shelve('10012346', small());
  await world.slack.shortcut({ callbackId: DIAGNOSE, message });
  const view = await modal(world);
  expect(ids(view)).toEqual(['10012345 10012346', '10012345', '10012346']);
  expect(fromBot(world)).toEqual([]);
  await world.slack.submit({ view, values: { id: '10012346' } });
  expect(await reads(world, '1 hit')).toMatchObject({ threadTs: parent.ts });
  expect(world.service.records.requests.map(({ id, set }) => `${id} ${set}`)).toEqual(['10012346 all']);
});

test('In a thread without the bot, the answer to what was chosen is in that thread, for the asker alone', async ({
  world,
}) => {
  const there = { channel: 'C0RANDOM' };
  const { message: parent } = await world.slack.say({ text: 'edge-7 is down', ...there });
  const { message } = await world.slack.say({ text: 'since 10:30', threadTs: parent.ts, ...there });
  await world.slack.shortcut({ callbackId: DIAGNOSE, message });
  await world.slack.submit({ view: await modal(world), values: { id: '1012' } });
  const answer = await reads(world, '1 hit', there);
  expect(answer).toMatchObject({ threadTs: parent.ts, ephemeral: true });
});

test('A message without an id asks for one', async ({ world }) => {
  const { message } = await world.slack.say({ text: 'edge-7 is down since 10:30' });
  await world.slack.shortcut({ callbackId: DIAGNOSE, message });
  const view = await modal(world);
  expect(JSON.stringify(view.view)).toContain('This message names no snapshot id');
  await world.slack.submit({ view, values: { id: ' 1012 ' } });
  expect(await reads(world, '1 hit')).toMatchObject({ threadTs: message.ts });
});

test('Words beside the id are read as in the command', async ({ world }) => {
  await world.slack.shortcut({ callbackId: LOOK_UP });
  const view = await modal(world);
  await world.slack.submit({ view, values: { id: '1001 miss high' } });
  expect((await modal(world)).errors).toEqual({
    id: 'Only hits can be filtered, not passed checks: leave out “miss”.',
  });
  await world.slack.submit({ view, values: { id: '1001 hit' } });
  await reads(world, '37 hits', { channel: DM });
});

test('A chosen conversation for which Slack gave no response URL gets no answer', async ({ world }) => {
  const { slack } = world;
  await slack.shortcut({ callbackId: LOOK_UP });
  await slack.submit({ view: await modal(world), values: { id: '1012', where: SUPPORT } });
  await reads(world, '1 hit');
  const before = fromBot(world, SUPPORT).length;
  const sent = slack.records.deliveries.findLast(({ payload }) => payload.type === 'view_submission');
  const forged = { ...sent?.payload, response_urls: [], trigger_id: '1.2.forged' };
  const body = new URLSearchParams({ payload: JSON.stringify(forged) }).toString();
  expect(await slack.sendRaw(body, 'application/x-www-form-urlencoded')).toBe(200);
  await slack.command({ text: '1012', channel: 'C0RANDOM' });
  await reads(world, '1 hit', { channel: 'C0RANDOM' });
  await atRest(world.address());
  expect(fromBot(world, SUPPORT)).toHaveLength(before);
});

test('In a chosen conversation without the bot, only the asker sees the answer', async ({ world }) => {
  await world.slack.shortcut({ callbackId: LOOK_UP });
  await world.slack.submit({ view: await modal(world), values: { id: '1012', where: 'C0RANDOM' } });
  expect(await reads(world, '1 hit', { channel: 'C0RANDOM' })).toMatchObject({ ephemeral: true });
});
