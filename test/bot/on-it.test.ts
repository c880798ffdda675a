import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { callsOf, DM, MODES, reads, writes } from '../support/bot-messages.ts';
import { choose, modal } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import { deliverInteraction } from '../support/slack-event.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const variablesOf = stores();
const GONE = { title: 'Gone', purpose: 'The service knows it no longer.', status: 404 } as const;

/** Settles when the line above the controls names these people, or nobody. */
function onIt({ slack }: World, { ts }: VisibleMessage, ...users: string[]): Promise<VisibleMessage> {
  const named = ({ blocks }: VisibleMessage) =>
    textsOf(blocks, 'mrkdwn')
      .filter((text) => text.includes(' is on it, since <!date'))
      .flatMap((text) => [...text.matchAll(/<@(\w+)> (?:is on it|too), since/g)].map(([, user]) => user));
  return slack.waitFor(
    () => slack.messages(SUPPORT).find((each) => each.ts === ts && named(each).join() === users.join()),
    `a message that ${users.join()} is on`,
  );
}

for (const mode of MODES) {
  test(`“I'm on it” says who is on it, adds others, and is taken back, over ${mode}`, async ({ open }) => {
    const world = await open({ mode, timing: { progressAfterMs: 10_000 } });
    const message = await ask(world, '1012');
    await world.slack.click({ message, actionId: 'on-it', user: 'ana' });
    const ana = await onIt(world, message, 'U0ANA');
    await world.slack.click({ message: ana, actionId: 'on-it', user: 'ben' });
    const both = await onIt(world, message, 'U0ANA', 'U0BEN');
    await world.slack.click({ message: both, actionId: 'on-it', user: 'ana' });
    const ben = await onIt(world, message, 'U0BEN');
    await world.slack.click({ message: ben, actionId: 'on-it', user: 'ben' });
    const nobody = await onIt(world, message);
    expect(nobody.text).toContain('1 hit');
    // Nothing is posted, and nobody is told.
    expect(new Set(writes(world).slice(1))).toEqual(new Set(['response_url']));
    expect(world.slack.messages(SUPPORT)).toHaveLength(1);
  });
}

test.for(STORES)(
  'On %s the names stay through a filter, a refresh and a restart',
  async (store, { open }) => {
    const world = await open({ variables: await variablesOf(store) });
    const message = await ask(world, '1001');
    await world.slack.click({ message, actionId: 'on-it', user: 'ana' });
    const ana = await onIt(world, message, 'U0ANA');
    await choose(world, ana, 'filter', '◆ Critical');
    await reads(world, 'Showing 2 critical hits');
    const filtered = await onIt(world, message, 'U0ANA');
    await world.restart();
    await choose(world, filtered, 'more', 'Refresh');
    await world.slack.waitFor(
      () => (world.service.records.requests.length > 1 ? true : undefined),
      'a refresh',
    );
    await onIt(world, message, 'U0ANA');
  },
);

test('A result that one person sees does not offer it', async ({ open }) => {
  const world = await open();
  await world.slack.command({ text: '1012', user: 'ben', channel: 'C0SECRET' });
  const ephemeral = await reads(world, '1 hit', { channel: 'C0SECRET', viewer: 'ben' });
  expect(offers(ephemeral)).not.toContain('on-it');
  await choose(world, ephemeral, 'more', 'Refresh');
  await world.slack.say({ text: '1012', channel: DM });
  const direct = await reads(world, '1 hit', { channel: DM });
  expect(offers(direct)).not.toContain('on-it');
});

test('A click that Slack delivers twice counts once', async ({ open }) => {
  const world = await open({ timing: { progressAfterMs: 10_000 } });
  const message = await ask(world, '1012');
  const { payload } = await world.slack.click({ message, actionId: 'on-it', user: 'ana' });
  await onIt(world, message, 'U0ANA');
  expect(await deliverInteraction(world, payload)).toBe(200);
  const ana = await onIt(world, message, 'U0ANA');
  await world.slack.click({ message: ana, actionId: 'on-it', user: 'ben' });
  await onIt(world, message, 'U0ANA', 'U0BEN');
});

test.for([
  ['deleted the snapshot', ({ service }: World) => service.shelve('1012', GONE)],
  ['fails every request', ({ service }: World) => Object.assign(service.switches, { apiStatus: 503 })],
  ['does not answer', ({ service }: World) => service.hold()],
] as const)('A name comes and goes without the service, which %s', async ([, breaks], { open }) => {
  let ahead = 0;
  const world = await open({ now: () => Date.now() + ahead });
  const message = await ask(world, '1012');
  // The result is no longer kept.
  ahead = 16 * 60_000;
  breaks(world);
  await world.slack.click({ message, actionId: 'on-it', user: 'ana' });
  const ana = await onIt(world, message, 'U0ANA');
  await world.slack.click({ message: ana, actionId: 'on-it', user: 'ana' });
  const nobody = await onIt(world, message);
  const layout = ({ blocks }: VisibleMessage) => blocks.map(({ block_id: _, ...block }) => block);
  expect(layout(nobody)).toEqual(layout(message));
  expect(nobody.text).toBe(message.text);
  expect(world.service.records.requests).toHaveLength(1);
});

type Act = () => Promise<unknown>;
const PRESS = async ({ slack }: World, message: VisibleMessage): Promise<Act> => {
  return () => slack.click({ message, actionId: 'on-it', user: 'ana' });
};
const FILTER = async (world: World, message: VisibleMessage): Promise<Act> => {
  return () => choose(world, message, 'filter', '◆ Critical', 'ana');
};
const SEARCH = async (world: World, message: VisibleMessage): Promise<Act> => {
  await choose(world, message, 'more', 'Search…', 'ana');
  const view = await modal(world, 'Search for', 'ana');
  return () => world.slack.submit({ view, values: { 'search-for': 'tmm' } });
};

test.for([
  ['a press', PRESS, ['U0ANA', 'U0BEN']],
  ['a filter', FILTER, ['U0BEN']],
  ['a search', SEARCH, ['U0BEN']],
] as const)('A name stays when Slack takes %s from before last', async ([, prepare, named], { open }) => {
  const world = await open();
  const { slack } = world;
  // Slack is asked about Ben before it is slow.
  await ask(world, '1002', 'ben');
  const message = await ask(world, '1001');
  const act = await prepare(world, message);
  const sent = (count: number) =>
    slack.waitFor(() => callsOf(world, 'response_url') >= count || undefined, `${count} messages to be sent`);
  const releaseAna = slack.hold();
  await act();
  await sent(1);
  const releaseBen = slack.hold();
  await slack.click({ message, actionId: 'on-it', user: 'ben' });
  await sent(2);
  releaseBen();
  await onIt(world, message, ...named);
  releaseAna();
  await sent(3);
  await onIt(world, message, ...named);
});
