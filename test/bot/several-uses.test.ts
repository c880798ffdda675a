import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import { unitDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { choicesOf, choose, chooseMore, modal, moreOf, reading } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf, valuesOf } from '../support/message-parts.ts';
import { lineOf, linesOf, requests } from '../support/several.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
type Unit = Parameters<typeof unitDocument>[0];

test('What only some have is shown alone and filtered, and details have the evidence of each unit', async ({
  world,
}) => {
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

test('Each release in use has its own upgrades; reading alone posts nothing, and one can be on it', async ({
  world,
}) => {
  const message = await ask(world, '1014 1015 1016');
  await chooseMore(world, message, 'What an upgrade fixes');
  const window = await modal(world, '17.1.1: lb-c');
  expect(textsOf(window.view.blocks, 'plain_text')).toEqual(
    expect.arrayContaining(['● 17.1.3: lb-a, lb-b', '17.1.1: lb-c']),
  );
  await world.slack.click({ message, actionId: 'on-it' });
  await world.slack.waitFor(
    () =>
      world.slack
        .messages(SUPPORT)
        .find(({ blocks }) => JSON.stringify(blocks).includes('has been on it since')),
    'a message that Ana is on',
  );
  await world.slack.command({ text: '1014 1015 1016 me', user: 'ben' });
  await modal(world, 'lb-c · 17.1.1 · ');
  expect(world.slack.messages(SUPPORT, 'ben')).toHaveLength(1);
  const direct = [...choicesOf(message, 'more').keys()];
  expect(direct).toEqual(['Search…', 'What an upgrade fixes', 'Text for the case', 'Refresh', direct.at(-1)]);
  // Nobody follows several, or compares them with one more.
  expect(textsOf((await moreOf(world, message)).view.blocks, 'plain_text')).toEqual([
    'Browse privately',
    'Export as CSV',
  ]);
});

/** Puts a unit on the shelf under this id, with only those of its hits left that this is true of. */
function shelveChanged(
  { service }: World,
  id: string,
  host: Unit,
  isLeft: (hit: DocumentDiagnostic) => boolean,
) {
  const document = unitDocument(host);
  const diagnostics = document.diagnostics?.filter((each) => each.match !== true || isLeft(each));
  service.shelve(id, { title: host, purpose: '', document: { ...document, diagnostics } });
}

test('Each line says what changed since its device was last read, and "Refresh" what did since the message was made', async ({
  world,
}) => {
  shelveChanged(world, '1000', 'lb-a', ({ importance }) => importance !== 'HIGH');
  await ask(world, '1000');
  const message = await ask(world, '1014 1015');
  expect(lineOf(message, 'lb-a')).toBe('lb-a · 17.1.3 · 1 critical · 9 high · 9 new since 1000');
  expect(lineOf(message, 'lb-b')).toBe('lb-b · 17.1.3 · 2 critical · 10 high');
  await chooseMore(world, message, 'Refresh', 'ana');
  await reading(world, message, 'Nothing changed since the message was made');
  shelveChanged(world, '1015', 'lb-b', ({ importance }) => importance !== 'CRITICAL');
  await chooseMore(world, message, 'Refresh', 'ana');
  const refreshed = await reading(world, message, /lb-b · 17\.1\.3 · 10 high/);
  expect(linesOf(refreshed)).toContain('lb-b: 2 cleared (H00040009, H00040900) since ');
  expect(requests(world)).toEqual({ 1000: 1, 1014: 3, 1015: 3 });
});

test('Passed checks stand below a line that says where they passed, on every page', async ({ world }) => {
  const message = await ask(world, '1014 1016 miss');
  const headings = (each: VisibleMessage) =>
    textsOf(each.blocks, 'text').filter((text) => text.startsWith('✓ Checked'));
  expect(headings(message)).toEqual(['✓ Checked, not a hit on both (209)']);
  await world.slack.click({ message, actionId: 'page-next' });
  const next = await reading(world, message, 'checks 11–20 of 220');
  expect(headings(next)).toEqual(['✓ Checked, not a hit on both (209)']);
  await choose(world, message, 'show', 'Only some have it (11)');
  const some = await reading(world, message, 'checks 1–10 of 11');
  expect(headings(some)).toEqual(['✓ Checked, not a hit on lb-a (7)', '✓ Checked, not a hit on lb-c (4)']);
  await world.slack.click({ message: some, actionId: 'page-next' });
  const last = await reading(world, message, 'check 11 of 11');
  expect(headings(last)).toEqual(['✓ Checked, not a hit on lb-c (4)']);
});

test('In a cluster of which some have no result, each hit names its units, and claims nothing of the others', async ({
  world,
}) => {
  const notes = ({ blocks }: Pick<VisibleMessage, 'blocks'>) =>
    textsOf(blocks, 'text').flatMap((text) => /^. (?:Critical|High) \(([^)]+)\) · \w/.exec(text)?.[1] ?? []);
  const two = await ask(world, '1014 1016 1007 9999');
  expect(notes(two)).toEqual(Array(3).fill('on lb-a and lb-c'));
  await choose(world, two, 'show', 'Only some have it (4)');
  expect(notes(await reading(world, two, 'hits 1–3 of 4'))).toEqual([]);
  expect(choicesOf(two, 'show').keys().toArray()).toContain('The 2 with a result have it (27)');
  const all = await ask(world, '1014 1016 1015 26808463');
  expect(notes(all)).toEqual(['all have it', 'only lb-b and edge-7', 'all have it']);
  const eight = await ask(world, '1014 1015 1016 1010 1011 1012 1013 1002');
  expect(notes(eight)).toEqual(['5 of 8', 'only lb-b and edge-13']);
});
