import { expect } from 'vitest';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { choicesOf, choose, modal, reading, told } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf, valuesOf } from '../support/message-parts.ts';

const test = sequential.concurrent;
const SHOW = 'show';
const MENU = 'more';
const NONE = { title: '', purpose: '' };
const COUNTS =
  '3 new (3 medium) · 2 rated differently (1 raised, 1 lowered) · 20 cleared (1 critical, 7 high …) · 8 unchanged · 30 hits before, 13 after';

/** How the lines of the hits begin. */
function kinds({ text }: VisibleMessage): string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.split(':')[0] ?? '');
}

test.for(['http', 'socket'] as const)(
  'A comparison over %s counts first, then lists what is new, changed and cleared',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, 'compare 1010 1011');
    expect(message.text).toContain(`Snapshots 1010 → 1011: ${COUNTS}`);
    expect(kinds(message)).toEqual(['New', 'New', 'New']);
    await world.slack.click({ message, actionId: 'page-next' });
    const last = await reading(world, message, 'changes 4–');
    expect(new Set(kinds(last))).toEqual(new Set(['Rated differently', 'Cleared']));
    expect(world.service.records.requests.map(({ url }) => url.match(/\d+/)?.[0]).sort()).toEqual([
      '1010',
      '1011',
    ]);
  },
);

test('Each kind can be shown alone, and then its hits have details', async ({ world }) => {
  const message = await ask(world, 'compare 1010 1011');
  expect([...choicesOf(message, SHOW).keys()]).toEqual([
    'All changes (25)',
    'New (3)',
    'Rated differently (2)',
    'Cleared (20)',
    'Unchanged (8)',
  ]);
  await choose(world, message, SHOW, 'Cleared');
  const cleared = await reading(world, message, 'Showing 20 cleared, 13 others hidden');
  expect(valuesOf(cleared.blocks, 'details')).toHaveLength(3);
  await world.slack.click({
    message: cleared,
    actionId: 'details',
    user: 'ben',
    value: valuesOf(cleared.blocks, 'details')[1] ?? '',
  });
  await modal(world, 'Cleared (was in snapshot 1010)');
  expect(JSON.stringify(world.slack.modals('ben'))).toContain('Hit 2 of 20');
  await choose(world, cleared, SHOW, 'Unchanged');
  const unchanged = await reading(world, message, 'Showing 8 unchanged, 25 others hidden');
  expect(new Set(kinds(unchanged))).toEqual(new Set(['Unchanged']));
  await choose(world, unchanged, SHOW, 'All changes');
  await reading(world, message, /13 after · changes 1–3/);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
});

test('While a snapshot of it is still processing, the comparison waits in one message', async ({ world }) => {
  for (const [id, like, forMs] of [
    ['2001', 1010, 500],
    ['2002', 1011, 800],
  ] as const)
    world.service.shelve(id, { ...NONE, ...demoShelf()[like], processing: { forMs } });
  const message = await ask(world, 'compare 2001 2002');
  expect(message.text).toContain(`Snapshots 2001 → 2002: ${COUNTS}`);
  expect(message.history.map(({ text }) => text)).toEqual([
    'The comparison of snapshots 2001 and 2002 is still being processed.',
  ]);
});

test('Refresh of a comparison reads both again, and says what changed in each', async ({ world }) => {
  const { 1010: before, 1011: after } = demoShelf();
  if (before === undefined || after === undefined) throw new Error('not on the shelf');
  world.service.shelve('1000', before);
  const message = await ask(world, 'compare 1000 1011');
  world.service.shelve('1000', after);
  await choose(world, message, MENU, 'Refresh');
  const fresh = await reading(world, message, 'Snapshot 1000: 3 new');
  expect(fresh.text).toContain('Snapshots 1000 → 1011: Nothing new · 13 unchanged');
  expect(textsOf(fresh.blocks, 'text').join('')).toContain('Snapshot 1011: Nothing changed since ');
  world.service.shelve('1000', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await choose(world, fresh, MENU, 'Refresh');
  await told(world, SUPPORT, 'The service no longer has one of the snapshots 1000 and 1011');
});
