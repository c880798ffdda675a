import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { choicesOf, choose, chooseMore, modal, reading } from '../support/clicking.ts';
import { ask, finals, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { exported } from '../support/exported.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const SHOW = 'show';
const MENU = 'more';

/** Opens "Compare with…" of a message and fills it in. */
async function compareWith(
  world: World,
  message: VisibleMessage,
  values: Record<string, string>,
): Promise<void> {
  await chooseMore(world, message, 'Compare with…');
  const view = await modal(world, 'Compare snapshot');
  const delivery = await world.slack.submit({ view, values });
  expect(delivery.acknowledged).toBe(true);
}

test('“Compare with…” asks for the other snapshot, and answers in the thread', async ({ world }) => {
  const message = await ask(world, '1011');
  await compareWith(world, message, { 'other-id': ' <https://diagnostics.example.com/1010/hits> ' });
  expect(world.slack.modals('ben')).toEqual([]);
  const comparison = await shown(world, `Snapshots 1010 → 1011: 3 new`);
  expect(comparison.threadTs).toBe(message.ts);
  expect(textsOf(comparison.blocks, 'mrkdwn').join()).toContain('asked by <@U0BEN>');
  expect(world.slack.messages(SUPPORT)).toHaveLength(2);
});

test('“Swap before and after” turns a comparison of what may be two devices round in its message, and back, without asking the service', async ({
  world,
}) => {
  shelveDevice(world, '2001', 'None@localhost', 1, 2, 3);
  shelveDevice(world, '2002', 'None@localhost', 3, 4);
  const message = await ask(world, 'compare 2002 2001');
  await choose(world, message, MENU, 'Swap before and after', 'ana');
  const swapped = await reading(world, message, 'Snapshots 2002 → 2001: 2 new');
  expect(swapped.text).toContain('1 cleared');
  expect(swapped.text).not.toContain('since the message was made');
  expect(textsOf(swapped.blocks, 'text')).toContain('Against time: snapshot 2001 was uploaded before 2002');
  await choose(world, swapped, MENU, 'Swap before and after', 'ana');
  await reading(world, message, 'Snapshots 2001 → 2002: 1 new');
  expect(world.service.records.requests).toHaveLength(2);
});

test('In a thread, “Compare with…” and an export answer in that thread', async ({ world }) => {
  const { message: parent } = await world.slack.say({ text: 'Look at 1011, please.' });
  await world.slack.mention({ text: '1011', threadTs: parent.ts });
  const message = await shown(world, 'Snapshot 1011');
  await compareWith(world, message, { 'other-id': '1010' });
  expect((await shown(world, `Snapshots 1010 → 1011: 3 new`)).threadTs).toBe(parent.ts);
  await chooseMore(world, message, 'Export as CSV');
  expect((await exported(world, 'snapshot-1011')).message.threadTs).toBe(parent.ts);
});

test('Anything but the id of another snapshot is refused inside the modal', async ({ world }) => {
  const message = await ask(world, '1011');
  await chooseMore(world, message, 'Compare with…');
  for (const [typed, problem] of [
    ['<b>', '“b” is not a snapshot id.'],
    ['1011', 'That is this snapshot: type the id of another one.'],
    ['1010 1012', 'Type one snapshot id, or a link to a snapshot.'],
  ] as const) {
    const view = await modal(world, 'Compare snapshot');
    await world.slack.submit({ view, values: { 'other-id': typed } });
    expect(world.slack.modals('ben')[0]?.errors).toEqual({ 'other-id': problem });
  }
  expect(finals(world)).toHaveLength(1);
});

test('A comparison offers no comparison, but pages, kinds, refresh and export', async ({ open }) => {
  const message = await ask(await open(), 'compare 1010 1011');
  expect(offers(message).filter((id) => !/^(?:details|solution)/.test(id))).toEqual([
    'page-next',
    SHOW,
    'on-it',
    MENU,
  ]);
  expect([...choicesOf(message, MENU).keys()]).toEqual(['Text for the case', 'Refresh', 'Browse, export…']);
});
