import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { records } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { MODES } from '../support/bot-messages.ts';
import { choicesOf, choose, modal, reading, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { textsOf } from '../support/message-parts.ts';
import { linesOf, requests, rowsOf } from '../support/several.ts';
import { SLOW } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const NONE = { title: '', purpose: '' };
const VERDICT =
  '20 cleared (1 critical, 7 high) · 3 new (none critical or high) · 2 rated differently · 8 unchanged';

test.for(MODES)(
  'A comparison over %s says first what is cleared and new, and lists the changes',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, 'compare 1010 1011');
    expect(linesOf(message)).toEqual([
      '# Snapshots 1010 → 1011 of edge-10.example.com',
      VERDICT,
      '# New: 3',
      ...Array(3).fill(expect.stringMatching(/^🟡 \[.+\]$/u)),
      '# Rated differently: 2',
      expect.stringMatching(/^🔶 High, was low: \[Line breaks/u),
      expect.stringMatching(/^🟡 Medium, was high: \[The statistics/u),
      '# Cleared: 20',
      '🔴 Configuration utility vulnerability CVE-2026-10000',
      ...Array(7).fill(expect.stringMatching(/^🔶 [^[]/u)),
      ...Array(2).fill(expect.stringMatching(/^🟡 [^[]/u)),
      'And 10 more: 7 medium, 3 low',
    ]);
    expect(rowsOf(message)).toEqual(['1010 | 1 | 9 | 13 | 7 | 17.1.1', '1011 | 0 | 2 | 8 | 3 | 17.1.3.4']);
    expect(message.text.replaceAll('\u00a0', ' ')).toContain(
      `1010 → 1011 of edge-10.example.com: ${VERDICT}`,
    );
    expect(textsOf(message.blocks.at(-1), 'plain_text')).toEqual(['1010 → 1011: 20 cleared, 3 new']);
    expect(offers(message).slice(-3)).toEqual(['all-hits', 'report', 'more']);
    expect([...choicesOf(message, 'more').keys()]).toEqual([
      'Refresh',
      'Follow…',
      'Text for the case…',
      'Export as CSV',
    ]);
    expect(requests(world)).toEqual({ 1010: 1, 1011: 1 });
    expect(world.service.records.requests.map(({ set }) => set ?? 'all')).toEqual(['all', 'all']);
  },
);

/** Puts a snapshot of a device on the shelf. `checks` gives each check's importance, or 'passed'. */
function shelve(
  { service }: World,
  id: string,
  checks: Readonly<Record<string, string>>,
  serial = 'chs1',
): void {
  const diagnostics = Object.entries(checks).map(
    ([name, level]): DocumentDiagnostic => ({
      ...{ name, header: `About ${name}`, match: level !== 'passed' },
      importance: level === 'passed' ? 'LOW' : level,
    }),
  );
  service.shelve(id, {
    ...NONE,
    document: { system: { chassisSerialNumber: serial, hostname: 'edge' }, diagnostics },
  });
}

test.for([
  [
    'what it checked and passed',
    { A: 'passed', C: 'HIGH', D: 'CRITICAL' },
    '1 cleared (1 critical) · 1 new (1 critical) · 1 unchanged · 1 no longer checked',
    ['# New: 1', '🔴 About D', '# Cleared: 1', '🔴 About A', '# No longer checked: 1', '🔶 About B'],
  ],
  [
    'nothing, where it lists only hits',
    { C: 'HIGH' },
    '1 unchanged · 2 no longer listed',
    ['# No longer listed: 2', '🔴 About A', '🔶 About B'],
  ],
] as const)('Cleared is of the earlier hits %s', async ([, later, verdict, lines], { world }) => {
  shelve(world, '2001', { A: 'CRITICAL', B: 'HIGH', C: 'HIGH' });
  shelve(world, '2002', later);
  const message = await ask(world, 'compare 2001 2002');
  expect(linesOf(message).slice(1)).toEqual([verdict, ...lines]);
});

test('Two snapshots of one device are compared in the order of time, those of two devices stand side by side', async ({
  world,
}) => {
  shelve(world, '2001', { A: 'HIGH' });
  shelve(world, '2002', { A: 'HIGH', B: 'LOW' });
  shelve(world, '2003', { B: 'LOW' }, 'chs2');
  expect(linesOf(await ask(world, 'compare 2002 2001'))[0]).toBe('# Snapshots 2001 → 2002 of edge');
  expect(linesOf(await ask(world, '2001 2002'))[0]).toBe('# Snapshots 2001 → 2002 of edge');
  expect(linesOf(await ask(world, 'compare 2001 2003')).slice(0, 2)).toEqual([
    '# Snapshots 2001, 2003',
    'No hit on both; 1 hit only on 2001; 1 more only on 2003',
  ]);
});

test('All changes are listed in a window by kind, which has details and changes no message', async ({
  world,
}) => {
  const message = await ask(world, 'compare 1010 1011');
  await world.slack.click({ message, actionId: 'all-hits', user: 'ben' });
  const list = await modal(world, 'All 25 changes');
  const kinds = [...choicesOf({ blocks: records(list.view.blocks) }, 'filter').keys()];
  expect(kinds.slice(0, 4)).toEqual(['All 25 changes', 'New: 3', 'Rated differently: 2', 'Cleared: 20']);
  await world.slack.click({ view: list, actionId: 'filter', value: 'group-2', user: 'ben' });
  // A cleared hit needs no action, so its row names none.
  await eventually(() => {
    const shown = textsOf(world.slack.modals('ben')[0]?.view.blocks, 'plain_text');
    expect(shown.filter((text) => /^.+\nCleared$/u.test(text))).toHaveLength(20);
  });
  const [cleared = list] = world.slack.modals('ben');
  await world.slack.click({ view: cleared, actionId: 'details-0', user: 'ben' });
  await modal(world, 'What it means');
  expect(world.slack.messages(SUPPORT)).toMatchObject([{ history: [] }]);
});

test('The text for the case of a comparison says what became of each hit, and how those rated differently were rated', async ({
  world,
}) => {
  shelve(world, '2001', { A: 'CRITICAL', B: 'HIGH', C: 'LOW' });
  shelve(world, '2002', { A: 'CRITICAL', B: 'passed', C: 'HIGH' });
  await choose(world, await ask(world, 'compare 2001 2002'), 'more', 'Text for the case');
  const { view } = await modal(world, 'case-text-');
  const text = JSON.stringify(view);
  expect([...text.matchAll(/n\d\. (.*?)\\n/g)].map(([, title]) => title)).toEqual([
    'High, rated differently (was low): About C',
    'High, cleared: About B',
    'Critical, unchanged: About A',
  ]);
});

test('A comparison is as of the earlier of its two readings', async ({ world }) => {
  shelve(world, '2001', { A: 'HIGH' });
  world.service.shelve('2002', SLOW);
  await world.slack.command({ text: 'compare 2001 2002' });
  await shown(world, 'still being processed');
  const before = Date.now();
  world.clock.ahead = 300_000;
  shelve(world, '2002', { A: 'HIGH' });
  const { blocks } = await shown(world, 'Snapshots 2001 → 2002 of edge');
  const [, seconds] = /as of <!date\^(\d+)/.exec(textsOf(blocks.at(-1), 'mrkdwn').join()) ?? [];
  expect(Number(seconds) * 1_000).toBeLessThanOrEqual(before);
});

test('While a snapshot of it is still processing, the comparison waits in one message', async ({ world }) => {
  for (const [id, like, forMs] of [
    ['2001', 1010, 500],
    ['2002', 1011, 800],
  ] as const)
    world.service.shelve(id, { ...NONE, ...demoShelf()[like], processing: { forMs } });
  const message = await ask(world, 'compare 2001 2002');
  expect(linesOf(message)[1]).toBe(VERDICT);
  expect(message.history.map(({ text }) => text)).toEqual([
    'The comparison of snapshots 2001 and 2002 is still being processed.',
  ]);
});

test('“Refresh” reads both again; “Report of” answers with the later one in the thread', async ({
  world,
}) => {
  const { 1010: before, 1011: after } = demoShelf();
  if (before === undefined || after === undefined) throw new Error('not on the shelf');
  world.service.shelve('1000', before);
  const message = await ask(world, 'compare 1000 1011');
  await world.slack.click({ message, actionId: 'report', user: 'ben' });
  expect((await shown(world, 'Snapshot 1011 of edge-10')).threadTs).toBe(message.ts);
  world.service.shelve('1000', after);
  await choose(world, message, 'more', 'Refresh');
  const fresh = await reading(world, message, '13 unchanged');
  world.service.shelve('1000', { ...NONE, status: 404 });
  await choose(world, fresh, 'more', 'Refresh');
  await told(world, SUPPORT, 'One of the snapshots 1000 and 1011 was not found');
});

/** Opens "Compare with…" of a message, fills it in, and returns the errors that the window shows. */
async function compareWith(world: World, message: VisibleMessage, otherId: string) {
  await choose(world, message, 'more', 'Compare with…');
  const view = await modal(world, 'The other snapshot');
  await world.slack.submit({ view, values: { 'other-id': otherId } });
  const errors = world.slack.modals('ben')[0]?.errors;
  for (const open of world.slack.modals('ben')) await world.slack.closeView(open);
  return errors;
}

test('“Compare with…” answers in the thread of the message, also in a thread', async ({ world }) => {
  const message = await ask(world, '1011');
  await compareWith(world, message, ' <https://service.example.com/snapshots/1010> ');
  const comparison = await shown(world, 'Snapshots 1010 → 1011');
  expect(comparison.threadTs).toBe(message.ts);
  expect(textsOf(comparison.blocks, 'mrkdwn').join()).toContain('Asked by <@U0BEN>');
  const { message: parent } = await world.slack.say({ text: 'Look at 1013, please.' });
  await world.slack.mention({ text: '1013', threadTs: parent.ts });
  await compareWith(world, await shown(world, 'Snapshot 1013'), '1012');
  expect((await shown(world, /Snapshots 1012(?:, | → )1013/)).threadTs).toBe(parent.ts);
});

test.for(['<b>', '1011', '1010 1012'])('“Compare with…” refuses %s', async (typed, { world }) => {
  expect(await compareWith(world, await ask(world, '1011'), typed)).toEqual({
    'other-id': 'Type the id of one other snapshot, or a link to it.',
  });
});
