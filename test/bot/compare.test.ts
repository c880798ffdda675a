import { expect } from 'vitest';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { choicesOf, choose, modal, reading, told } from '../support/clicking.ts';
import { ask, finals, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { fileOf } from '../support/exported.ts';
import { forget } from '../support/forget.ts';
import { textsOf, valuesOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const SHOW = 'show';
const MENU = 'more';
const COUNTS =
  '3 new (3 medium) · 2 rated differently (1 raised, 1 lowered) · 20 cleared (1 critical, 7 high …) · 8 unchanged · 30 hits before, 13 after';

/** How the lines of the hits begin. */
function kinds({ text }: VisibleMessage): string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.split(':')[0] ?? '');
}

function shelveSlow(
  { service }: World,
  id: string,
  like: 1010 | 1011,
  forMs: number | 'forever',
  reasons: string[] = [],
): void {
  const processing = { forMs, reasons };
  service.shelve(id, { title: 'Slow', purpose: 'Ready soon.', ...demoShelf()[like], processing });
}

for (const mode of ['http', 'socket'] as const) {
  test(`A comparison over ${mode} counts first, then lists what is new, changed and cleared`, async ({
    open,
  }) => {
    const world = await open({ mode });
    const message = await ask(world, 'compare 1010 1011');
    expect(message.text).toContain(`Snapshots 1010 → 1011: ${COUNTS}`);
    expect(kinds(message)).toEqual(['New', 'New', 'New']);
    const texts = textsOf(message.blocks, 'text');
    expect(texts).toEqual(
      expect.arrayContaining([
        'Same device: edge-10.example.com · C117 · chs601010s',
        'Product 17.1.1 (Final, build 231018) → 17.1.3 (Point Release 4, build 240507)',
        '+ New in 1011 · 3',
      ]),
    );
    await world.slack.click({ message, actionId: 'page-next' });
    const last = await reading(world, message, 'changes 4–');
    expect(kinds(last)).toEqual([
      'Rated differently',
      'Rated differently',
      ...Array.from({ length: 6 }, () => 'Cleared'),
    ]);
    expect(textsOf(last.blocks, 'text')).toEqual(
      expect.arrayContaining([
        '± Rated differently · 2',
        expect.stringMatching(/^▲ High \(was ○ Low\) · /),
        expect.stringMatching(/^● Medium \(was ▲ High\) · /),
        '✓ Cleared (was in 1010) · 20',
      ]),
    );
    expect(world.service.records.requests.map(({ url }) => url.match(/\d+/)?.[0]).sort()).toEqual([
      '1010',
      '1011',
    ]);
  });
}

test('Each kind can be shown alone, the unchanged ones too, and then its hits have details', async ({
  world,
}) => {
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

test('A comparison is paged after a restart, and when no result is cached any more', async ({ world }) => {
  const message = await ask(world, 'compare 1010 1011');
  await world.restart();
  await world.slack.click({ message, actionId: 'page-next' });
  const last = await reading(world, message, 'changes 4–');
  expect(world.service.records.requests).toHaveLength(2);
  await forget(world);
  await choose(world, last, SHOW, 'New');
  await reading(world, message, 'Showing 3 new, 30 others hidden');
  expect(world.service.records.requests).toHaveLength(4);
});

test('Two devices stand side by side, in the file too: nothing of one is new or cleared on the other', async ({
  world,
}) => {
  shelveDevice(world, '2001', 'chs1@lb-a', 1, 2, 3);
  shelveDevice(world, '2002', 'chs2@lb-b', 3, 4);
  shelveDevice(world, '2003', 'chs1@guest-b', 3, 4);
  const message = await ask(world, 'compare 2002 2001');
  expect(message.text).toContain('Snapshots 2001, 2002: Same 1 hit on both; 2 more on lb-a (2 high)');
  expect(message.text).not.toMatch(/new|cleared|before|after/);
  const table = await fileOf(world, message, 'csv', 'snapshots-2001-2002-hits.csv');
  expect(table).toContain('"D1","HIGH","Hit 1","hit","not listed"');
  expect(table).toContain('"D4","HIGH","Hit 4","not listed","hit"');
  expect((await ask(world, 'compare 2001 2003')).text).toContain(
    '2 more on lb-a (2 high); 1 more on guest-b',
  );
});

for (const [which, ids] of [
  ['the earlier', '901 1011'],
  ['the later', '1010 2001'],
  ['each', '2001 2002'],
] as const) {
  test(`When ${which} snapshot is still processing, the comparison waits in one message`, async ({
    world,
  }) => {
    const [before = '', after = ''] = ids.split(' ');
    for (const id of ['901', '2001']) shelveSlow(world, id, ids.startsWith(id) ? 1010 : 1011, 500);
    shelveSlow(world, '2002', 1011, 800);
    const message = await ask(world, `compare ${before} ${after}`);
    expect(message.text).toContain(`Snapshots ${before} → ${after}: ${COUNTS}`);
    expect(message.history.map(({ text }) => text)).toEqual([
      `The comparison of snapshots ${before} and ${after} is still being processed.`,
    ]);
  });
}

test('Asking for the same comparison again points to the message that waits; asking for one of its snapshots does not', async ({
  world,
}) => {
  shelveSlow(world, '2001', 1011, 'forever', ['One.']);
  await world.slack.command({ text: 'compare 1010 2001' });
  const waits = 'The comparison of snapshots 1010 and 2001 is still being processed. The service says:';
  await shown(world, `${waits} One.`);
  shelveSlow(world, '2001', 1011, 'forever', ['Two.']);
  // When the second reason is shown, the message has been stored as one that waits.
  await shown(world, `${waits} Two.`);
  await world.slack.command({ text: 'compare 1010 2001', user: 'ben' });
  await told(world, SUPPORT, 'The comparison of snapshots 1010 and 2001 is already in progress.');
  shelveSlow(world, '2001', 1011, 0);
  await world.slack.command({ text: '2001 hit' });
  await shown(world, /^Snapshot 2001 .*13 hits/);
  await shown(world, 'Snapshots 1010 → 2001');
  // Ben, who asked again, is mentioned in the thread.
  await shown(world, /^<@U0BEN> /);
  expect(finals(world).filter(({ threadTs }) => threadTs === undefined)).toHaveLength(2);
});

test('A comparison that fails says for which snapshot, and can be tried again', async ({ world }) => {
  const failed = await ask(world, 'compare 901 1011');
  expect(failed.text).toContain('The comparison of snapshots 901 and 1011: Snapshot 901 was not found.');
  const entry = demoShelf()[1010];
  if (entry === undefined) throw new Error('1010 is not on the shelf');
  world.service.shelve('901', entry);
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  await reading(world, failed, `Snapshots 901 → 1011: 3 new`);
});

test('Refresh of a comparison reads both snapshots again, and says what changed in each', async ({
  world,
}) => {
  const { 1010: before, 1011: after } = demoShelf();
  if (before === undefined || after === undefined) throw new Error('not on the shelf');
  world.service.shelve('901', before);
  const message = await ask(world, 'compare 901 1011');
  world.service.shelve('901', after);
  await choose(world, message, MENU, 'Refresh');
  const fresh = await reading(world, message, 'Snapshot 901: 3 new');
  expect(fresh.text).toContain('Snapshots 901 → 1011: Nothing new · 13 unchanged');
  expect(textsOf(fresh.blocks, 'text').join('')).toContain('Snapshot 1011: Nothing changed since ');
  world.service.shelve('901', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await choose(world, fresh, MENU, 'Refresh');
  await told(world, SUPPORT, 'The service no longer has one of the snapshots 901 and 1011');
});
