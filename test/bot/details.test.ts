import { expect } from 'vitest';
import type { DocumentDiagnostic } from '../emulators/diagnostics-service/document.ts';
import type { ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { writes } from '../support/bot-messages.ts';
import { modal, purposeOf } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { forget } from '../support/forget.ts';
import { textsOf, valuesOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

/** Presses the Details of one hit of a message, and gives the modal once it reads so. */
async function details(world: World, message: VisibleMessage, hit: number, words: string): Promise<OpenView> {
  const value = valuesOf(message.blocks, 'details')[hit];
  if (value === undefined) throw new Error(`no hit ${hit}`);
  const delivery = await world.slack.click({ message, actionId: 'details', value, user: 'ben' });
  expect(delivery.acknowledged).toBe(true);
  return modal(world, words);
}

function shelfOf(...diagnostics: DocumentDiagnostic[]): ShelfEntry {
  return {
    title: 'A few',
    purpose: 'Written by a test.',
    document: { diagnostics: diagnostics.map((each) => ({ match: true, importance: 'HIGH', ...each })) },
  };
}

test.for(['http', 'socket'] as const)(
  'Details open over %s for anyone, with all that is known of the hit',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1012');
    const view = await details(world, message, 0, 'A server pool has a single member');
    expect(purposeOf(view)).toBe('Hit 1 of 1');
    expect(textsOf(view.view, 'plain_text')).toContain('K000162521');
  },
);

test('A link to a solution is acknowledged, and nothing else happens', async ({ world }) => {
  const message = await ask(world, '1012');
  const written = writes(world).length;
  const delivery = await world.slack.click({ message, actionId: 'solution-0' });
  expect(delivery).toMatchObject({ acknowledged: true });
  const view = await details(world, message, 0, 'H770025-1');
  expect(await world.slack.click({ view, actionId: 'solution-0', user: 'ben' })).toMatchObject({
    acknowledged: true,
  });
  // `writes` leaves out the calls that ask Slack who a person is.
  expect(writes(world).slice(written)).toEqual(['views.open']);
});

test('Details open at once after a restart; when the result is no longer cached, they say that it is being read', async ({
  world,
}) => {
  const message = await ask(world, '1012');
  await world.restart();
  await details(world, message, 0, 'A server pool');
  expect(world.service.records.requests).toHaveLength(1);
  await forget(world);
  const release = world.service.hold();
  const view = await details(world, message, 0, 'Reading the result…');
  release();
  await world.slack.waitFor(
    () =>
      world.slack
        .modals('ben')
        .find(({ id, view: now }) => id === view.id && purposeOf({ ...view, view: now }) === 'Hit 1 of 1'),
    'the details',
  );
  expect(world.service.records.requests).toHaveLength(2);
});

test('In a result that changed, the hit is found by its name, or said to be gone', async ({ world }) => {
  const [one, two, three] = ['one', 'two', 'three'].map((word) => ({
    name: `D-${word}`,
    header: `The hit ${word}`,
  }));
  world.service.shelve('2001', shelfOf({ ...one }, { ...two }));
  const message = await ask(world, '2001');
  world.service.shelve('2001', shelfOf({ ...three }, { ...one }));
  await forget(world);
  expect(purposeOf(await details(world, message, 0, 'The hit one'))).toBe('Hit 2 of 2');
  await details(world, message, 1, 'this hit is no longer in it');
});

test.for([
  ['details', undefined, 'Reading the result…'],
  ['more', 'others', 'Reading the result…'],
] as const)(
  'Closing the modal of “%s” while the result is being read causes no fault',
  async ([actionId, value, loading], { world }) => {
    const message = await ask(world, '1012');
    await forget(world);
    const release = world.service.hold();
    await world.slack.click({ message, actionId, user: 'ben', ...(value && { value }) });
    await world.slack.closeView(await modal(world, loading));
    release();
    const refused = ({ method, answer }: { method: string; answer?: unknown }) =>
      method === 'views.update' && JSON.stringify(answer ?? '').includes('not_found');
    await world.slack.waitFor(() => world.slack.records.calls.find(refused), 'Slack to refuse');
    await ask(world, '1002');
    expect(world.log.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
  },
);
