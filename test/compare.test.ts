import { expect } from 'vitest';
import { choicesOf, choose, modal, reading, told } from './harness/clicking.ts';
import { ask, finals, SUPPORT, test as sequential, shown } from './harness/conversation.ts';
import { forget } from './harness/forget.ts';
import { textsOf, valuesOf } from './harness/message-parts.ts';
import type { Workplace } from './harness/workplace.ts';
import { documentAfterUpgrade } from './stand-ins/diagnostics-service/shelf/scenarios.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';
import type { VisibleMessage } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const SHOW = 'show';
const MENU = 'more';
const COUNTS = '3 new · 2 changed importance · 20 cleared · 8 unchanged · 30 hits before, 13 after';

/** How the lines of the hits begin. */
function kinds({ text }: VisibleMessage): string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.split(':')[0] ?? '');
}

function shelveSlow(
  { service }: Workplace,
  id: string,
  like: 1010 | 1011,
  forMs: number,
  reasons: string[] = [],
): void {
  const processing = { forMs, reasons };
  service.shelve(id, { title: 'Slow', purpose: 'Ready soon.', ...demoShelf()[like], processing });
}

for (const mode of ['http', 'socket'] as const) {
  test(`A comparison over ${mode} counts first, then lists what is new, changed and cleared`, async ({
    open,
  }) => {
    const workplace = await open({ mode });
    const message = await ask(workplace, 'compare 1010 1011');
    expect(message.text).toContain(`Snapshots 1010 → 1011: ${COUNTS} · unchanged hits are not listed`);
    expect(kinds(message)).toEqual(['New', 'New', 'New', 'Changed', 'Changed']);
    const texts = textsOf(message.blocks, 'text');
    expect(texts).toEqual(
      expect.arrayContaining([
        'The same device: edge-7.example.com · C117 · chs600777s',
        'Product 17.1.1 (Final, build 231018) → Product 17.1.3 (Point Release 3, build 240216)',
        ' — 30 hits before, 13 after; unchanged hits are not listed',
        '+ New in 1011 (3)',
        '± Another importance (2)',
        'Before: ○ Low',
        'Before: ▲ High',
      ]),
    );
    await workplace.slack.click({ message, actionId: 'page-next', user: 'ben' });
    const last = await reading(workplace, message, 'page 2 of 2');
    expect(kinds(last)).toEqual(Array.from({ length: 20 }, () => 'Cleared'));
    expect(textsOf(last.blocks, 'text')).toContain('✓ Cleared: in 1010 only (20)');
    expect(workplace.service.records.requests.map(({ url }) => url.match(/\d+/)?.[0]).sort()).toEqual([
      '1010',
      '1011',
    ]);
  });
}

test('Each kind can be shown alone, the unchanged ones too, and then its hits have details', async ({
  open,
}) => {
  const workplace = await open();
  const message = await ask(workplace, 'compare 1010 1011');
  expect([...choicesOf(message, SHOW).keys()]).toEqual([
    'All changes (25)',
    'New (3)',
    'Another importance (2)',
    'Cleared (20)',
    'Unchanged (8)',
  ]);
  await choose(workplace, message, SHOW, 'Cleared');
  const cleared = await reading(workplace, message, 'showing 20 cleared, 13 others hidden');
  expect(valuesOf(cleared.blocks, 'details')).toHaveLength(5);
  await workplace.slack.click({
    message: cleared,
    actionId: 'details',
    user: 'ben',
    value: valuesOf(cleared.blocks, 'details')[1] ?? '',
  });
  await modal(workplace, 'Cleared: in snapshot 1010 only');
  expect(JSON.stringify(workplace.slack.modals('ben'))).toContain('Hit 2 of 20');
  await choose(workplace, cleared, SHOW, 'Unchanged');
  const unchanged = await reading(workplace, message, 'showing 8 unchanged, 25 others hidden');
  expect(new Set(kinds(unchanged))).toEqual(new Set(['Unchanged']));
  await choose(workplace, unchanged, SHOW, 'All changes');
  await reading(workplace, message, /unchanged hits are not listed.*page 1 of 2/);
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
});

test('A comparison is paged after a restart, and when nothing is kept any more', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, 'compare 1010 1011');
  await workplace.restart();
  await workplace.slack.click({ message, actionId: 'page-next' });
  const last = await reading(workplace, message, 'page 2 of 2');
  expect(workplace.service.records.requests).toHaveLength(2);
  await forget(workplace);
  await choose(workplace, last, SHOW, 'New');
  await reading(workplace, message, 'showing 3 new, 30 others hidden');
  expect(workplace.service.records.requests).toHaveLength(4);
});

test('Another device is said, and compared all the same', async ({ open }) => {
  const workplace = await open();
  const message = await ask(workplace, 'compare 1012 1001');
  expect(textsOf(message.blocks, 'text')).toContain(
    'The same version: Product 17.1.3 (Point Release 3, build 240216)',
  );
  const other = { hostname: 'edge-8.example.com', chassisSerialNumber: 'chs600778s', platform: 'C117' };
  const document = { ...documentAfterUpgrade(), system: other };
  workplace.service.shelve('2001', { title: 'The other unit', purpose: 'The second of a pair.', document });
  const pair = await ask(workplace, 'compare 1011 2001');
  const texts = textsOf(pair.blocks, 'text');
  expect(texts).toContain('Two devices, on the same version');
  expect(texts).toContain('Nothing new · 13 unchanged');
});

for (const [which, ids] of [
  ['the earlier', '2001 1011'],
  ['the later', '1010 2001'],
  ['each', '2001 2002'],
] as const) {
  test(`When ${which} snapshot is still processing, the comparison waits in one message`, async ({
    open,
  }) => {
    const workplace = await open();
    const [before = '', after = ''] = ids.split(' ');
    shelveSlow(workplace, '2001', ids.startsWith('2001') ? 1010 : 1011, 500);
    shelveSlow(workplace, '2002', 1011, 800);
    const message = await ask(workplace, `compare ${before} ${after}`);
    expect(message.text).toContain(`Snapshots ${before} → ${after}: ${COUNTS}`);
    expect(message.history.map(({ text }) => text)).toEqual([
      `The comparison of snapshots ${before} and ${after} is still being processed.`,
    ]);
  });
}

test('A comparison goes on waiting after a restart', async ({ open }) => {
  const workplace = await open();
  shelveSlow(workplace, '2001', 1011, 700);
  await workplace.slack.command({ text: 'compare 1010 2001' });
  await shown(workplace, 'is still being processed');
  await workplace.restart();
  await shown(workplace, `Snapshots 1010 → 2001: ${COUNTS}`);
});

test('Asking for the same comparison again points to the message that waits; for one of its snapshots it does not', async ({
  open,
}) => {
  const workplace = await open();
  shelveSlow(workplace, '2001', 1011, 2_000, ['One.', 'Two.']);
  await workplace.slack.command({ text: 'compare 1010 2001' });
  // By the second reason it is written down that this message waits.
  await shown(
    workplace,
    'The comparison of snapshots 1010 and 2001 is still being processed. The service says: Two.',
  );
  await workplace.slack.command({ text: 'compare 1010 2001', user: 'ben' });
  await told(
    workplace,
    SUPPORT,
    'The comparison of snapshots 1010 and 2001 is already being waited for here.',
  );
  await workplace.slack.command({ text: '2001 hit' });
  await shown(workplace, /^Snapshot 2001 .*13 hits/);
  await shown(workplace, 'Snapshots 1010 → 2001');
  expect(finals(workplace)).toHaveLength(2);
});

test('A comparison that fails says for which snapshot, and can be tried again', async ({ open }) => {
  const workplace = await open();
  const failed = await ask(workplace, 'compare 2001 1011');
  expect(failed.text).toContain(
    'The comparison of snapshots 2001 and 1011: The service does not know snapshot 2001.',
  );
  const entry = demoShelf()[1010];
  if (entry === undefined) throw new Error('1010 is not on the shelf');
  workplace.service.shelve('2001', entry);
  await workplace.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  await reading(workplace, failed, `Snapshots 2001 → 1011: ${COUNTS}`);
});

test('Refresh of a comparison reads both anew, and says what changed in which', async ({ open }) => {
  const workplace = await open();
  const { 1010: before, 1011: after } = demoShelf();
  if (before === undefined || after === undefined) throw new Error('not on the shelf');
  workplace.service.shelve('2001', before);
  const message = await ask(workplace, 'compare 2001 1011');
  workplace.service.shelve('2001', after);
  await choose(workplace, message, MENU, 'Refresh');
  const fresh = await reading(workplace, message, 'snapshot 2001: 3 new');
  expect(fresh.text).toContain('Snapshots 2001 → 1011: Nothing new · 13 unchanged');
  expect(textsOf(fresh.blocks, 'text').join('')).toContain('Snapshot 1011: Nothing changed since ');
  workplace.service.shelve('2001', { title: 'Gone', purpose: 'Was there once.', status: 404 });
  await choose(workplace, fresh, MENU, 'Refresh');
  await told(workplace, SUPPORT, 'The service no longer has one of the snapshots 2001 and 1011');
});
