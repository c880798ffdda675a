import { expect } from 'vitest';
import { unitDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { record, string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import { choicesOf, choose, chooseMore, modal, reading, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential, shown } from '../support/conversation.ts';
import { exported } from '../support/exported.ts';
import { objectsIn, textsOf, valuesOf } from '../support/message-parts.ts';
import { readCsv } from '../support/read-csv.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const CLUSTER = '1014 1016 1017 1007';
const EIGHT = '1014 1015 1016 1010 1011 1012 1013 1002';
const SHELF = demoShelf();

/** Puts the unit lb-d of the cluster on the shelf: processed with this reason, or ready. */
function shelveUnit({ service }: World, reason?: string): void {
  const ready = { title: 'lb-d', purpose: 'Written by a test.', document: () => unitDocument('lb-d') };
  const reasons = reason === undefined ? [] : [reason];
  service.shelve(
    '1017',
    reason === undefined ? ready : { ...ready, processing: { forMs: 'forever', reasons } },
  );
}

/** How often the service was asked for each snapshot. */
function requests({ service }: World): Record<string, number> {
  const ids = service.records.requests.map(({ id }) => string(id));
  return Object.fromEntries([...Map.groupBy(ids, (id) => id)].map(([id, some]) => [id, some.length]));
}

/** The lines above the hits. */
function linesOf({ blocks }: Pick<VisibleMessage, 'blocks'>): string[] {
  return textsOf(blocks[1], 'text').filter((text) => text !== '\n');
}

/** What a line says of one unit. */
function lineOf(message: VisibleMessage, unit: string): string | undefined {
  return linesOf(message).find((line) => line.startsWith(`${unit} · `));
}

/** The cells of a row that are not what the document of a unit says. */
function wrongCells(
  host: 'lb-a' | 'lb-c',
  id: string,
  row: ReadonlyMap<string, string | undefined>,
): string[] {
  const each = unitDocument(host).diagnostics?.find(({ name }) => name === row.get('name'));
  const holds = each === undefined ? 'not listed' : each.match ? 'hit' : 'passed';
  const expected: Record<string, string | undefined> = {
    [`${host} (${id})`]: holds,
    [`output: ${host} (${id})`]: holds === 'hit' ? each?.outputs?.join('\n\n') : '',
    ...(holds === 'hit' && { title: each?.header, action: each?.action }),
  };
  const words = (text = '') => text.replaceAll('&#8217;', '’').replaceAll(/\s+/g, ' ').trim();
  return Object.keys(expected).filter((column) => words(row.get(column)) !== words(expected[column]));
}

test('A cluster stands in one message, which changes with the news alone, through a restart, and costs one poll each', async ({
  open,
}) => {
  const world = await open();
  shelveUnit(world, 'One.');
  await world.slack.command({ text: CLUSTER });
  const first = await shown(world, 'processed: One.');
  expect(linesOf(first)).toEqual([
    'Same 27 hits on the 2 with a result; 4 more on lb-a',
    'lb-a · 17.1.3 · 1 critical · 9 high',
    'lb-c · 17.1.1 · 1 critical · 9 high',
    '1017 · still being processed: One.',
    '1007 · ⚠ no access',
    'Different releases and numbers of checks (247, 240): the lists can differ for that alone.',
  ]);
  // Who asks for that unit elsewhere waits for the same poll: the service counts one that comes too early as a breach.
  await world.slack.command({ text: '1017', user: 'ben', channel: 'C0WARROOM' });
  const polls = requests(world)[1017] ?? 0;
  await expect.poll(() => requests(world)[1017]).toBeGreaterThan(polls + 2);
  expect(world.slack.messages(SUPPORT)[0]?.history).toEqual([]);
  shelveUnit(world, 'Two.');
  await shown(world, 'processed: Two.');
  await world.restart();
  shelveUnit(world);
  const final = await shown(world, /lb-d · 17\.1\.3/);
  await atRest(world.address());
  expect(linesOf(final)[0]).toBe('Same 27 hits on the 3 with a result; 4 on only some');
  expect(offers(final)).toContain('ask-again');
  expect(final.history).toHaveLength(2);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  expect(requests(world)).toMatchObject({ 1014: 1, 1016: 1, 1007: 1 });
});

test('"Try again" asks for the failed ones alone, and is counted for each', async ({ open }) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '6' } });
  const failed = await ask(world, '1014 1015 1007');
  world.service.shelve('1007', SHELF[1016] ?? { title: '', purpose: '' });
  await world.restart({ COMMANDS_PER_MINUTE: '2' });
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  await told(world, SUPPORT, 'more than Snapshot answers in a minute');
  await world.restart();
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ben' });
  const final = await reading(world, failed, /lb-c · 17\.1\.1/);
  expect(offers(final)).not.toContain('ask-again');
  expect(requests(world)).toEqual({ 1014: 1, 1015: 1, 1007: 2 });
});

test('Who asked can cancel the wait; at its limit the message is final, and goes on for who wants that', async ({
  open,
}) => {
  const world = await open();
  shelveUnit(world, 'One.');
  await world.slack.command({ text: '1014 1017' });
  const waiting = await shown(world, 'processed: One.');
  await world.slack.click({ message: waiting, actionId: 'cancel', user: 'ben' });
  await told(world, SUPPORT, 'can cancel this');
  await world.slack.click({ message: waiting, actionId: 'cancel' });
  await reading(world, waiting, 'was cancelled');
  await world.restart({ WAIT_LIMIT_MINUTES: '0.01' });
  await world.slack.command({ text: '1014 1017' });
  const given = await world.slack.waitFor(
    () =>
      world.slack.messages(SUPPORT).find((each) => JSON.stringify(each.blocks).includes('"Keep waiting"')),
    'an offer to keep waiting',
  );
  expect(lineOf(given, '1017')).toBe('1017 · still being processed: One.');
  await world.restart({ WAIT_LIMIT_MINUTES: '60' });
  shelveUnit(world);
  await world.slack.click({ message: given, actionId: 'ask-again', user: 'ben' });
  await reading(world, given, /lb-d · 17\.1\.3/);
  expect(world.slack.messages(SUPPORT)).toHaveLength(2);
});

test('Two snapshots of one device are compared in the order of time, whichever is named first', async ({
  open,
}) => {
  const world = await open();
  const compared = await ask(world, 'compare 1010 1011');
  for (const text of ['1010 1011', '1011 1010']) {
    const message = await ask(world, text);
    expect(message.text).toBe(compared.text);
    expect(linesOf(message)).toEqual(linesOf(compared));
    await world.slack.click({ message, actionId: 'page-next' });
    expect((await reading(world, message, 'changes 4–')).text).toContain('Snapshots 1010 → 1011');
  }
});

test.for([
  ['CVE-2026-10128', ['Hit on 1 of 3: lb-b', 'lb-a · 17.1.3 · Checked, not a hit', 'lb-b · 17.1.3 · Hit']],
  ['K000100032', ['Hit on 2 of 3: lb-a and lb-b', 'lb-a · 17.1.3 · Hit', 'lb-b · 17.1.3 · Hit']],
  [
    'certificate',
    [
      'Hit on 2 of 3: lb-a and lb-b',
      'lb-a · 17.1.3 · 3 hits · 14 passed checks',
      'lb-b · 17.1.3 · 3 hits · 14 passed checks',
    ],
  ],
  [
    'CVE-1999-0001',
    [
      'No hit on the 2 with a result',
      'lb-a · 17.1.3 · Not mentioned in this analysis',
      'lb-b · 17.1.3 · Not mentioned in this analysis',
    ],
  ],
] as const)('Which of these boxes have %s stands in one line for each', async ([sought, lines], { open }) => {
  const world = await open();
  const message = await ask(world, `1014 1015 1007 ${sought}`);
  expect(linesOf(message).slice(0, 4)).toEqual([...lines, '1007 · ⚠ no access']);
});

test('What only some have is shown alone and filtered, and details have the evidence of each unit', async ({
  open,
}) => {
  const world = await open();
  const document = unitDocument('lb-b');
  const diagnostics = document.diagnostics?.map((each) => ({ ...each, outputs: ['seen on b'] }));
  world.service.shelve('2001', { title: '', purpose: '', document: { ...document, diagnostics } });
  const message = await ask(world, '1014 2001');
  await choose(world, message, 'show', 'Only some have it (2)');
  const some = await reading(world, message, /^[^\n]*\nCritical · H00040900/);
  expect(textsOf(some.blocks, 'text').filter((text) => text.includes('(only lb-b)'))).toHaveLength(2);
  await choose(world, some, 'filter', '▲ High');
  await reading(world, message, 'Showing 1 high hit, 32 others hidden');
  await choose(world, some, 'show', 'Both have it (31)');
  const both = await reading(world, message, 'Showing 9 high hits, 24 others hidden');
  const value = valuesOf(both.blocks, 'details')[2] ?? '';
  await world.slack.click({ message: both, actionId: 'details', user: 'ben', value });
  const texts = textsOf((await modal(world, 'Found on lb-a:')).view.blocks, 'text');
  expect(texts).toContainEqual(expect.stringContaining('both have it'));
  expect(texts.slice(texts.indexOf('Found on lb-a:')).slice(0, 4)).toEqual([
    'Found on lb-a:',
    expect.stringContaining('core'),
    'Found on lb-b:',
    'seen on b',
  ]);
  expect(requests(world)).toEqual({ 1014: 1, 2001: 1 });
});

test('The table has a column for each snapshot, the report and the text for the case say whose each hit is', async ({
  open,
}) => {
  const world = await open();
  const message = await ask(world, '1014 1016 1007');
  await chooseMore(world, message, 'Export 31 hits as CSV');
  const [names = [], ...rows] = readCsv((await exported(world, 'snapshots-1014-1016-1007-hits.csv')).text);
  const cells = rows.map((row) => new Map(names.map((name, at) => [name, row[at]])));
  for (const row of cells) {
    expect(wrongCells('lb-a', '1014', row)).toEqual([]);
    expect(wrongCells('lb-c', '1016', row)).toEqual([]);
  }
  expect(new Set(cells.map((row) => row.get('1007 (1007)')))).toEqual(new Set(['no result']));
  expect(new Set(cells.map((row) => row.get('lb-c (1016)')))).toEqual(new Set(['hit', 'passed']));
  await chooseMore(world, message, 'Export 31 hits as Markdown');
  const report = (await exported(world, 'snapshots-1014-1016-1007-hits.md')).text;
  expect(report.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(33);
  expect(report.split('**Found on:** lb-c')).toHaveLength(
    1 + cells.filter((row) => row.get('output: lb-c (1016)') !== '').length,
  );
  await chooseMore(world, await ask(world, '1014 1015 critical'), 'Text for the case');
  const window = await modal(world, 'case-text-');
  const input = objectsIn(window.view.blocks).find(({ type }) => type === 'plain_text_input');
  const groups = string(record(input).initial_value)
    .split('\n')
    .filter((line) => line.endsWith(':'));
  expect(groups).toEqual(['Both have it:', 'Only lb-b:']);
});

test('Each release in use has its own upgrades; reading alone posts nothing, and one can be on it', async ({
  open,
}) => {
  const world = await open();
  const message = await ask(world, '1014 1015 1016');
  await chooseMore(world, message, 'What an upgrade fixes');
  const window = await modal(world, '17.1.1: lb-c');
  expect(textsOf(window.view.blocks, 'plain_text')).toEqual(
    expect.arrayContaining(['● 17.1.3: lb-a, lb-b', '17.1.1: lb-c']),
  );
  await world.slack.click({ message, actionId: 'on-it' });
  await world.slack.waitFor(
    () =>
      world.slack.messages(SUPPORT).find(({ blocks }) => JSON.stringify(blocks).includes('is on it since')),
    'a message that Ana is on',
  );
  await world.slack.command({ text: '1014 1015 1016 me', user: 'ben' });
  await modal(world, 'lb-c · 17.1.1 · 1 critical');
  expect(world.slack.messages(SUPPORT, 'ben')).toHaveLength(1);
  expect([...choicesOf(message, 'more').keys()]).not.toContain('Remind me…');
});

test.for([
  ['two at a time', {}, 2],
  ['within the limit of an operator', { SERVICE_CONCURRENCY: '1' }, 1],
] as const)(
  'Eight snapshots are read %s, and cost as much as eight commands',
  async ([, limit, most], { open }) => {
    const world = await open({ variables: { COMMANDS_PER_MINUTE: '8', ...limit } });
    world.service.switches.latencyMs = 40;
    const message = await ask(world, EIGHT);
    expect(linesOf(message)).toHaveLength(10);
    const all = world.service.records.requests;
    const atOnce = all.map(
      ({ arrivedAt: at }) =>
        all.filter(({ arrivedAt, answeredAt = 0 }) => arrivedAt <= at && at < answeredAt).length,
    );
    expect([all.length, Math.max(...atOnce)]).toEqual([8, most]);
    const refused = await world.slack.command({ text: EIGHT });
    expect(refused.body).toContain('more than Snapshot answers in a minute');
  },
);
