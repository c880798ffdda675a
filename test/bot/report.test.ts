import { expect } from 'vitest';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { MODES, reads } from '../support/bot-messages.ts';
import { choose, modal, reading, told } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { objectsIn, textsOf } from '../support/message-parts.ts';
import { shelveHits } from '../support/shelved.ts';
import { STORES, stores } from '../support/stores.ts';

const test = sequential.concurrent;
const variablesOf = stores();
const DAY_MS = 24 * 3_600_000;

const wordsOf = ({ blocks }: VisibleMessage) => textsOf(blocks, 'text').join('').replaceAll('\u00a0', ' ');

/** What a command asks for, how the text begins, and what else the message says. */
const ASKED = [
  [
    '1001',
    'Snapshot 1001 of edge-7.example.com: 2 critical, 11 high, 16 medium, 8 low (37 hits in 247 checks)',
    'And 24 more: 16 medium, 8 low',
  ],
  [
    '1002',
    'Snapshot 1002 of edge-2.example.com: No hits: all 180 checks passed',
    '✅ No hits: all 180 checks passed',
  ],
  [
    '1001 critical',
    'Snapshot 1001 of edge-7.example.com: 2 critical of 37 hits',
    'And 35 more: 11 high, 16 medium, 8 low',
  ],
  ['1001 miss', 'Snapshot 1001 of edge-7.example.com: 210 checks passed', 'Not listed here: 37 hits'],
  [
    '1001 CVE-2026-10000',
    'Snapshot 1001 of edge-7.example.com: Yes: CVE-2026-10000 is a critical hit (H00040009)',
    'Searched all 247 checks',
  ],
  [
    '1001 cve-2026-10456',
    'Snapshot 1001 of edge-7.example.com: CVE-2026-10456 was checked and is not a hit',
    '(H00044234)',
  ],
  [
    '1001 CVE-2020-1000',
    'Snapshot 1001 of edge-7.example.com: No hit or check names CVE-2020-1000',
    'This analysis says nothing about it.',
  ],
  [
    '1012 CVE-2020-1000',
    'Snapshot 1012 of edge-7.example.com: No hit or check names CVE-2020-1000',
    'Searched the only hit. The service sent only hits',
  ],
  [
    '1001 certificate',
    'Snapshot 1001 of edge-7.example.com: “certificate” is in 3 of 37 hits\nAnd in 14 of 210 passed checks',
    'And in 14 of 210 passed checks',
  ],
  [
    '1001 critical certificate',
    'Snapshot 1001 of edge-7.example.com: “certificate” is in 0 of 2 critical hits',
    '',
  ],
  [
    '1001 hit certificate',
    'Snapshot 1001 of edge-7.example.com: “certificate” is in 3 of 37 hits\nHigh:',
    '',
  ],
  [
    '1001 miss certificate',
    'Snapshot 1001 of edge-7.example.com: “certificate” is in 14 of 210 passed checks',
    '',
  ],
  [
    'compare 1010 1011',
    'Snapshots 1010 → 1011 of edge-10.example.com: 20 cleared (1 critical, 7 high) · 3 new (none critical or high) · 2 rated differently · 8 unchanged',
    'High, was low: ',
  ],
  [
    '1014 1015 1016',
    'Snapshots 1014, 1015, 1016: 27 hits on all 3; 2 more only on lb-b (1 critical); 4 more on lb-a and lb-b',
    'And 17 more: 12 medium, 5 low',
  ],
] as const;

test.for(ASKED)('“%s” is answered with what matters first', async ([text, begin, also], { world }) => {
  const message = await ask(world, text);
  expect(message.text.replaceAll('\u00a0', ' ').startsWith(begin), message.text).toBe(true);
  expect(wordsOf(message)).toContain(also);
  expect(message.text).not.toMatch(/not affected/i);
});

test.for([
  ['1001 cve', '1001 of edge-7: 1 critical, 5 high, 6 medium, 2 low with CVEs of 37 hits'],
  ['1001 17.1.3.4', '1001 of edge-7: “17.1.3.4” is in 11 of 37 hits'],
] as const)('The end of “%s” repeats what it is a part of', async ([asked, said], { world }) => {
  const { blocks } = await ask(world, asked);
  expect(JSON.stringify(blocks.at(-1))).toContain(JSON.stringify(said));
});

test('Every critical and high hit is named, with its whole title', async ({ world }) => {
  const message = await ask(world, '1001');
  // Three of the thirteen hits are shown in full, with buttons. The other ten are lines that link to an article.
  expect(objectsIn(message.blocks).filter(({ type }) => type === 'link')).toHaveLength(10);
  expect(wordsOf(message)).toContain('The fan tray has failed or is about to fail and has to be replaced');
});

test('A thousand hits are counted with a comma, and more than 5,000 checks are refused with that number', async ({
  world,
}) => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `M${at}` }));
  shelveHits(world, ...many(1_000));
  expect((await ask(world, '2001')).text).toContain('1,000 high');
  shelveHits(world, ...many(5_001));
  expect((await ask(world, '2001')).text).toContain('more than 5,000 checks, the most that the bot can read');
});

test('Refresh edits the same message; if the snapshot is gone, the message stays, and who pressed is told', async ({
  world,
}) => {
  shelveHits(world, { name: 'D1', header: 'The first' });
  const message = await ask(world, '2001');
  shelveHits(world, { name: 'D2', header: 'The second' });
  await choose(world, message, 'more', 'Refresh');
  const fresh = await reading(world, message, 'The second');
  world.service.shelve('2001', { title: 'Gone', purpose: '', status: 404 });
  await choose(world, fresh, 'more', 'Refresh');
  await told(world, SUPPORT, 'Snapshot 2001 was not found');
  expect((await reading(world, message, 'The second')).history).toHaveLength(1);
});

test.for(MODES)(
  'Over %s, the report of a device that was looked up before says what changed since',
  async (mode, { open }) => {
    const world = await open({ mode });
    shelveDevice(world, '2001', 'chs1', 1, 2, 3);
    shelveDevice(world, '2002', ' CHS1 ', 3, 4);
    expect(wordsOf(await ask(world, '2001'))).not.toContain('Since');
    const second = await ask(world, '2002', 'ben');
    expect(wordsOf(second)).toMatch(/Since 2001 \(.*1 new.*2 cleared/);
    // The report never says who looked up the earlier snapshot, or where.
    expect(JSON.stringify(second.blocks)).not.toContain('U0ANA');
    world.clock.ahead = 31 * DAY_MS;
    shelveDevice(world, '2003', 'chs1', 2);
    expect(wordsOf(await ask(world, '2003'))).not.toContain('Since');
  },
);

test('Another host of the same chassis is not counted as a change', async ({ world }) => {
  shelveDevice(world, '2001', 'chs1@edge-7.example.com', 1, 2);
  shelveDevice(world, '2002', 'chs1@edge-8.example.com', 3);
  await ask(world, '2001');
  const message = wordsOf(await ask(world, '2002'));
  expect(message).toContain('1 hit in 9 checks');
  expect(message).not.toContain('cleared');
});

test.for(STORES)(
  'On %s “compare last” compares with what was read of the same device before',
  async (store, { open }) => {
    const world = await open({ variables: await variablesOf(store) });
    shelveDevice(world, '2001', 'chs1', 1, 2);
    shelveDevice(world, '2002', 'chs1', 2, 3, 4);
    expect(wordsOf(await ask(world, 'compare last 2001'))).toContain(
      'No other snapshot of this device was looked up here recently',
    );
    expect((await ask(world, 'compare last 2002', 'ben')).text).toContain('Snapshots 2001 → 2002');
  },
);

test('A comparison waits in one message, and “Report of …” answers in its thread', async ({ world }) => {
  for (const [id, like, forMs] of [
    ['2001', 1010, 500],
    ['2002', 1011, 800],
  ] as const)
    world.service.shelve(id, { title: '', purpose: '', ...demoShelf()[like], processing: { forMs } });
  const message = await ask(world, 'compare 2001 2002');
  expect(message.history.map(({ text }) => text)).toEqual([
    'The comparison of snapshots 2001 and 2002 is still being processed.',
  ]);
  await world.slack.click({ message, actionId: 'report', user: 'ben' });
  expect((await reads(world, /^Snapshot 2002 of/)).threadTs).toBe(message.ts);
});

test('“Compare with…” asks for the other snapshot, and answers in the thread', async ({ world }) => {
  const message = await ask(world, '1010');
  await choose(world, message, 'more', 'Compare with…');
  const view = await modal(world, 'other-id');
  await world.slack.submit({ view, values: { 'other-id': '1010' } });
  expect(Object.values((await modal(world, 'other-id')).errors)).toEqual([
    'Type the id of one other snapshot, or a link to it.',
  ]);
  await world.slack.submit({ view: await modal(world, 'other-id'), values: { 'other-id': '1011' } });
  expect((await shown(world, 'Snapshots 1010 → 1011')).threadTs).toBe(message.ts);
});
