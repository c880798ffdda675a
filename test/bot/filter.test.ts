import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { choicesOf, choose, reading } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential, shown, waits } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const FILTER = 'filter';

/** The levels of the hits that a message shows. */
function levels({ text }: VisibleMessage): string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.split(' · ')[0] ?? '');
}

function shelve({ service }: World, id: string, diagnostics: DocumentDiagnostic[]): void {
  service.shelve(id, {
    title: 'A few',
    purpose: 'Written by a test.',
    document: { diagnostics: diagnostics.map((each) => ({ match: true, ...each })) },
  });
}

test('The filter offers every importance and CVEs, each with the number of hits that it would show', async ({
  open,
}) => {
  const message = await ask(await open(), '1001');
  expect([...choicesOf(message, FILTER).keys()]).toEqual([
    'All hits (37)',
    'Critical and high (13)',
    '◆ Critical (2)',
    '▲ High (11)',
    '● Medium (16)',
    '○ Low (8)',
    'With CVEs (14)',
    'Without CVEs (23)',
  ]);
});

for (const mode of ['http', 'socket'] as const) {
  test(`A filter shows its hits in the same message over ${mode}, and says what it hides`, async ({
    open,
  }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    await choose(world, message, FILTER, '◆ Critical');
    const critical = await reading(world, message, 'Showing 2 critical hits, 35 others hidden');
    expect(levels(critical)).toEqual(['Critical', 'Critical']);
    expect(textsOf(critical.blocks, 'text')).toContain('Showing 2 critical hits, 35 others hidden');
    expect(textsOf(critical.blocks, 'text')).toContain('37 hits in 247 checks');
    expect(world.slack.messages(SUPPORT)).toHaveLength(1);
    expect(world.service.records.requests).toHaveLength(1);
  });
}

test('Importance and CVEs filter together, and each can be taken back', async ({ world }) => {
  const message = await ask(world, '1001');
  await choose(world, message, FILTER, 'Critical and high');
  const grave = await reading(world, message, 'Showing 13 critical and high hits, 24 others hidden');
  await choose(world, grave, FILTER, 'With CVEs (6 critical and high)');
  const both = await reading(world, message, 'Showing 6 critical and high hits with CVEs, 31 others hidden');
  expect(textsOf(both.blocks, 'plain_text')).toContain('Filter: critical and high, with CVEs');
  await choose(world, both, FILTER, 'Any importance (14 with CVEs)');
  const cves = await reading(world, message, 'Showing 14 hits with CVEs, 23 others hidden');
  await choose(world, cves, FILTER, 'Without CVEs (23)');
  const without = await reading(world, message, 'Showing 23 hits without CVEs, 14 others hidden');
  await choose(world, without, FILTER, 'All hits');
  const all = await reading(world, message, 'hits 1–3 of 37');
  expect(all.text).not.toContain('hidden');
});

test('Paging stays within a filter, and choosing a filter goes to its first page', async ({ world }) => {
  const message = await ask(world, '1001');
  await choose(world, message, FILTER, '● Medium');
  const first = await reading(world, message, 'hits 1–3 of 16');
  await world.slack.click({ message: first, actionId: 'page-next' });
  const second = await reading(world, message, 'hits 4–8 of 16');
  expect(new Set(levels(second))).toEqual(new Set(['Medium']));
  await choose(world, second, FILTER, '○ Low');
  expect((await reading(world, message, 'Showing 8 low hits')).text).toContain('hits 1–3 of 8');
});

test('A filter that finds nothing says so and can be taken back; a result without hits still reads as good news', async ({
  world,
}) => {
  shelve(world, '2001', [
    { name: 'D1', importance: 'LOW' },
    { name: 'D2', importance: 'LOW' },
  ]);
  const none = await ask(world, '2001 critical');
  expect(none.text).toContain('There are no critical hits among these: the filter hides all 2');
  await choose(world, none, FILTER, 'All hits (2)');
  expect(levels(await reading(world, none, /^(?!.*hides)/))).toEqual(['Low', 'Low']);
  expect((await ask(world, '1002 critical')).text).toContain('✓ No known issues found. 180 checks passed.');
});

test('An unknown level reads as the service wrote it; several unknown ones are one choice of the filter', async ({
  world,
}) => {
  const known = { name: 'D0', importance: 'HIGH' };
  shelve(world, '2001', [known, { name: 'D1', importance: 'Catastrophic' }, { name: 'D2', importance: '' }]);
  const one = await ask(world, '2001');
  expect([...choicesOf(one, FILTER).keys()]).toEqual([
    'All hits (3)',
    '▲ High (1)',
    '□ Catastrophic (1)',
    '□ Unrated (1)',
  ]);
  const many = Array.from({ length: 1_999 }, (_, index) => ({
    name: `D${index}`,
    importance: `Level ${index}`,
  }));
  shelve(world, '2002', [known, ...many]);
  const several = await ask(world, '2002');
  await choose(world, several, FILTER, 'Other importance (1,999)');
  const others = await reading(world, several, 'Showing 1,999 otherwise rated hits, 1 other hidden');
  expect(levels(others)).toEqual(['Level 0', 'Level 1', 'Level 10']);
});

test('A result serves clicks for a quarter of an hour; a click after that reads it again', async ({
  world,
}) => {
  const message = await ask(world, '1001');
  world.clock.ahead = 14 * 60_000;
  await choose(world, message, FILTER, '◆ Critical');
  const critical = await reading(world, message, 'Showing 2 critical hits');
  expect(world.service.records.requests).toHaveLength(1);
  world.clock.ahead = 16 * 60_000;
  await choose(world, critical, FILTER, '▲ High');
  await reading(world, message, 'Showing 11 high hits');
  expect(world.service.records.requests).toHaveLength(2);
});

test('A filter stays through a wait, and through asking again after a fault', async ({ world }) => {
  const entry = demoShelf()[1001];
  if (entry === undefined) throw new Error('1001 is not on the shelf');
  world.service.shelve('2001', { ...entry, processing: { forMs: 300 } });
  expect((await ask(world, '2001 critical')).text).toContain('Showing 2 critical hits');
  world.service.shelve('2002', { title: 'Not yet', purpose: 'Unknown so far.', status: 404 });
  const failed = await ask(world, '2002 critical');
  world.service.shelve('2002', entry);
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  await reading(world, failed, 'Showing 2 critical hits');
});

test('Two people who wait for the same snapshot with other filters each get a message of their own', async ({
  world,
}) => {
  const entry = { ...demoShelf()[1001], title: 'Slow', purpose: 'Slow.' };
  world.service.shelve('2001', { ...entry, processing: { forMs: 'forever' } });
  await world.slack.command({ text: '2001' });
  await shown(world, '2001 is still being processed');
  await world.slack.command({ text: '2001 critical', user: 'ben' });
  await world.slack.waitFor(() => waits(world)[1], 'a second wait');
  world.service.shelve('2001', entry);
  await shown(world, 'Showing 2 critical hits');
  await shown(world, 'hits 1–3 of 37');
});
