import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { ask, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { shelveAnalysis } from '../support/following.ts';
import { textsOf } from '../support/message-parts.ts';

const test = sequential.concurrent;
const HITS = { D1: 'HIGH', D2: 'LOW', D3: 'HIGH', D4: 'LOW' };
const LATER = { D1: 'HIGH', D2: 'HIGH', D5: 'CRITICAL' };
const CHANGES = 'Since 2001 (): 1 new (critical), 1 cleared, 1 rated differently, 1 no longer checked';
const ANONYMOUS = 'REDACTED';
const NAMELESS = 'localhost.localdomain';

/** What a report says of an earlier lookup of the device, without its time; '' if it says nothing. */
function lastReadIn({ blocks }: VisibleMessage): string {
  const said = textsOf(blocks, 'text').join('').replaceAll('\u00a0', ' ');
  return /Since .*(?:checked|listed)|(?:Earlier|Newer) snapshot[^(]*/.exec(said)?.[0] ?? '';
}

type Of = { readonly serial?: string; readonly host?: string; readonly stated?: number };

/** Commands for two snapshots, how the later or both of them differ, and what the second report says. */
const CASES: readonly (readonly [
  what: string,
  first: string,
  then: string,
  of: Of,
  both: Of,
  said: string,
])[] = [
  ['the same device', '2001', '2002', {}, {}, CHANGES],
  ['its serial in other letters', '2001', '2002', { serial: ' CHS1 ' }, {}, CHANGES],
  ['its host by a short name', '2001', '2002', { host: 'EDGE-9' }, {}, CHANGES],
  ['another device', '2001', '2002', { serial: 'chs2' }, {}, ''],
  ['another host of the chassis', '2001', '2002', { host: 'b.example.com' }, {}, ''],
  ['a host without a name', '2001', '2002', { host: NAMELESS }, {}, ''],
  ['the same name, without a serial', '2001', '2002', {}, { serial: ANONYMOUS }, CHANGES],
  ['no serial and no name', '2001', '2002', {}, { serial: ANONYMOUS, host: NAMELESS }, ''],
  ['not all of its hits', '2001', '2002', { stated: 99 }, {}, 'Earlier snapshot of this device: 2001 '],
  [
    'the hits alone',
    '2001',
    '2002 hit',
    {},
    {},
    'Since 2001 (): 1 new (critical), 1 rated differently, 2 no longer listed',
  ],
  ['passed checks', '2001', '2002 miss', {}, {}, ''],
  ['a search', '2001', '2002 D1', {}, {}, ''],
  ['after its passed checks', '2001 miss', '2002', {}, {}, ''],
  ['an earlier snapshot', '2002', '2001', {}, {}, 'Newer snapshot of this device: 2002 '],
  ['the same snapshot', '2001', '2001', {}, {}, ''],
];

test.for(CASES)(
  'For %s: after %s, a report of %s says what changed since',
  async ([, first, then, of, both, said], { world }) => {
    shelveAnalysis(world, '2001', HITS, both);
    shelveAnalysis(world, '2002', LATER, { gone: ['D4'], ...both, ...of });
    await ask(world, first);
    expect(lastReadIn(await ask(world, then))).toBe(said);
  },
);

test('A comparison and a report of several count as readings: the next report compares with the latest', async ({
  world,
}) => {
  for (const id of ['2001', '2002', '2003']) shelveAnalysis(world, id, HITS);
  shelveAnalysis(world, '2004', LATER, { gone: ['D4'] });
  await world.slack.command({ text: 'compare 2001 2002' });
  await shown(world, 'Snapshots 2001 → 2002');
  world.clock.ahead += 60_000;
  await world.slack.command({ text: '2003 1012' });
  await shown(world, 'Snapshots 2003, 1012');
  world.clock.ahead += 60_000;
  await world.slack.command({ text: '2004' });
  expect(lastReadIn(await shown(world, 'Snapshot 2004'))).toBe(CHANGES.replace('2001', '2003'));
});

test('Where the earlier snapshot is deleted, “compare last” gives the report, and what changed since', async ({
  world,
}) => {
  shelveAnalysis(world, '2001', HITS);
  shelveAnalysis(world, '2002', LATER, { gone: ['D4'] });
  await ask(world, '2001');
  world.service.nextAnswers([{ status: 404 }], '2001');
  const report = await ask(world, 'compare last 2002');
  expect(report.text).toContain('Snapshot 2002 of');
  expect(lastReadIn(report)).toBe(CHANGES);
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['2001', '2002', '2001']);
  // Now the service has it again, and is asked once for each.
  expect((await ask(world, 'compare last 2002')).text).toContain('Snapshots 2001 → 2002');
  expect(world.service.records.requests).toHaveLength(5);
});

test('“compare last” shows that it is waiting also while it reads the earlier snapshot', async ({ open }) => {
  const world = await open({ timing: { progressAfterMs: 500 } });
  shelveAnalysis(world, '2001', HITS);
  shelveAnalysis(world, '2002', LATER);
  await ask(world, '2001');
  const answer = world.service.hold();
  await world.slack.command({ text: 'compare last 2002' });
  await eventually(() => expect(world.service.records.requests).toHaveLength(2));
  answer();
  const release = world.service.hold();
  const asked = () => world.service.records.requests.map(({ id }) => id);
  await eventually(() => expect(asked()).toEqual(['2001', '2002', '2001']));
  await shown(world, /^Looking up the comparison of snapshots 2001 and 2002…$/);
  release();
  await shown(world, 'Snapshots 2001 → 2002');
});

test('A report compares with the newest other snapshot, although an older one was read after it', async ({
  world,
}) => {
  shelveAnalysis(world, '2001', { D1: 'LOW' });
  shelveAnalysis(world, '2002', HITS);
  shelveAnalysis(world, '2003', LATER, { gone: ['D4'] });
  await ask(world, '2002');
  world.clock.ahead += 1_000;
  await ask(world, '2001');
  expect(lastReadIn(await ask(world, '2003'))).toBe(CHANGES.replace('2001', '2002'));
  expect(lastReadIn(await ask(world, '2001'))).toBe('Newer snapshot of this device: 2003 ');
});

test('A report compares with the latest reading of the earlier snapshot, however recent that is', async ({
  world,
}) => {
  for (const hits of [{ D1: 'LOW' }, HITS]) {
    shelveAnalysis(world, '2001', hits);
    await ask(world, '2001');
  }
  shelveAnalysis(world, '2002', LATER, { gone: ['D4'] });
  expect(lastReadIn(await ask(world, '2002'))).toBe(CHANGES);
});
