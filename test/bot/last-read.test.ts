import { expect } from 'vitest';
import { MODES } from '../support/bot-messages.ts';
import { choicesOf, choose, reading } from '../support/clicking.ts';
import { ask, test as sequential, shown } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import { STORES, stores } from '../support/stores.ts';

const test = sequential.concurrent;
const DAY_MS = 24 * 3_600_000;

const variablesOf = stores();

test.for(MODES)(
  'A result of a device that was read before says what changed since, over %s',
  async (mode, { open }) => {
    const world = await open({ mode });
    shelveDevice(world, '2001', 'chs1', 1, 2, 3);
    shelveDevice(world, '2002', ' CHS1 ', 3, 4);
    expect((await ask(world, '2001')).text).not.toMatch(/Since|Earlier/);
    const second = await ask(world, '2002', 'ben');
    expect(second.text).toContain('Since 2001: 1 new, 2 cleared');
    expect(textsOf(second.blocks, 'text')).toContain('Since 2001 (');
    expect(objectsIn(second.blocks).find(({ type }) => type === 'date')).toMatchObject({
      format: 'looked up {date_short_pretty}',
      fallback: expect.stringMatching(/^looked up \d{4}-\d\d-\d\d$/),
    });
    // It never says who read it, or where.
    expect(JSON.stringify(second.blocks)).not.toContain('U0ANA');
    await world.slack.click({ message: second, actionId: 'compare-last', user: 'ana' });
    const comparison = await shown(world, 'Snapshots 2001 → 2002');
    expect(JSON.stringify(comparison.blocks.at(-2))).toContain('asked by <@U0ANA>');
  },
);

test('A snapshot that is older than the one that was read is compared as the earlier', async ({ world }) => {
  await ask(world, '1011');
  const before = await ask(world, '1010', 'ben');
  expect(before.text).toContain('1011 is newer: 3 new, 20 cleared, 2 rated differently there');
  await world.slack.click({ message: before, actionId: 'compare-last', user: 'ana' });
  const comparison = await shown(world, 'Snapshots 1010 → 1011: 3 new');
  expect(choicesOf(comparison, 'more').keys()).not.toContain('Swap before and after');
  expect((await ask(world, 'compare last 1010', 'ben')).text).toContain('Snapshots 1010 → 1011: 3 new');
});

test('Another host of the same chassis is named, and not counted as a change', async ({ world }) => {
  shelveDevice(world, '2001', 'chs1@edge-7.example.com', 1, 2);
  shelveDevice(world, '2002', 'chs1@edge-8.example.com', 3);
  shelveDevice(world, '2003', 'chs1@localhost.localdomain', 3);
  shelveDevice(world, '2004', 'chs4@edge-4.example.com', 3);
  shelveDevice(world, '2005', 'chs4@localhost.localdomain', 3);
  await ask(world, '2001');
  const message = await ask(world, '2002');
  expect(message.text).toContain('Snapshot 2002 · edge-8.example.com');
  expect(message.text).toContain('Same chassis, other host: edge-7.example.com, 2001');
  expect(message.text).not.toContain('cleared');
  await world.slack.click({ message, actionId: 'compare-last', user: 'ana' });
  await shown(world, 'Snapshots 2001, 2002: No hit in common; 2 only on edge-7');
  // A host name that every new device has is no other host, and none of several.
  expect((await ask(world, '2003')).text).not.toContain('Since');
  await ask(world, '2004');
  expect((await ask(world, '2005')).text).toContain('Since 2004: nothing new');
});

test('The line about the earlier result stays when a page turns or a filter is chosen, and after a restart, for 30 days', async ({
  world,
}) => {
  shelveDevice(world, '2001', 'chs1', 1, 2);
  shelveDevice(world, '2002', 'chs1', 1, 2);
  shelveDevice(world, '2003', 'chs1', 2);
  await ask(world, '2001');
  await world.restart();
  const second = await ask(world, '2002');
  expect(second.text).toContain('Since 2001: nothing new');
  await choose(world, second, 'filter', '▲ High');
  await reading(world, second, 'Showing 2 high hits.*');
  expect((await reading(world, second, 'Showing 2 high hits')).text).toContain('Since 2001');
  world.clock.ahead = 31 * DAY_MS;
  expect((await ask(world, '2003')).text).not.toMatch(/Since|Earlier/);
});

test.for(STORES)(
  'On %s “compare last” compares with what was read of the same device before',
  async (store, { open }) => {
    const world = await open({ variables: await variablesOf(store) });
    shelveDevice(world, '2001', 'chs1', 1, 2);
    shelveDevice(world, '2002', 'chs1', 2, 3, 4);
    const nothing = await ask(world, 'compare last 2001');
    expect(nothing.text).toContain('No other snapshot of this device was looked up here recently');
    const comparison = await ask(world, 'compare last 2002', 'ben');
    expect(comparison.text).toContain('Snapshots 2001 → 2002');
    expect(comparison.text).toContain('2 new');
    // Each of the snapshots was requested once.
    expect(world.service.records.requests.map(({ id }) => id)).toEqual(['2001', '2002', '2001']);
  },
);
