import { expect } from 'vitest';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { callsOf, DM, MODES, reads } from '../support/bot-messages.ts';
import { choose, modal } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { objectsIn } from '../support/message-parts.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const variablesOf = stores();
const GONE = { title: 'Gone', purpose: 'The service knows it no longer.', status: 404 } as const;

/** Settles when the line below the title names this person, or nobody. */
function onIt({ slack }: World, { ts }: VisibleMessage, user?: string): Promise<VisibleMessage> {
  const named = ({ blocks }: VisibleMessage) => {
    const line = blocks.find(({ block_id: id }) => String(id).startsWith('attention-owner-'));
    return objectsIn(line).find(({ type }) => type === 'user')?.user_id;
  };
  return slack.waitFor(
    () => slack.messages(SUPPORT).find((each) => each.ts === ts && named(each) === user),
    `a message that ${user} is on`,
  );
}

/** Opens "Hand over…", which Ben presses. */
async function handOver(world: World, message: VisibleMessage): Promise<OpenView> {
  await world.slack.click({ message, actionId: 'hand-over', user: 'ben' });
  return modal(world, 'once, in the thread');
}

/** Ben chooses Ana there. */
function toAna({ slack }: World, view: OpenView): Promise<unknown> {
  return slack.click({ view, actionId: 'hand-over-to', value: 'U0ANA', user: 'ben' });
}

test.for(MODES)(
  'Whoever is on it stands below the title, hands it over and is mentioned once, over %s',
  async (mode, { open }) => {
    const world = await open({ mode, timing: { progressAfterMs: 10_000 } });
    const { slack } = world;
    const message = await ask(world, '1012');
    await slack.click({ message, actionId: 'on-it', user: 'ana' });
    const ana = await onIt(world, message, 'U0ANA');
    expect(ana.blocks[1]?.block_id).toMatch(/^attention-owner-/);
    expect(offers(ana)).not.toContain('on-it');
    // Who takes it over is not mentioned.
    await slack.click({ view: await handOver(world, ana), actionId: 'take-over', user: 'ben' });
    const ben = await onIt(world, message, 'U0BEN');
    await modal(world, '<@U0BEN> is on it now.');
    expect(slack.messages(SUPPORT)).toHaveLength(1);
    const own = await handOver(world, ben);
    expect(objectsIn(own.view).map(({ action_id }) => action_id)).not.toContain('take-over');
    await toAna(world, own);
    await modal(world, '<@U0ANA> is on it now.');
    const again = await onIt(world, message, 'U0ANA');
    const mention = await reads(world, '<@U0ANA>: <@U0BEN> handed snapshot 1012');
    expect(mention.threadTs).toBe(message.ts);
    // Whoever is on it already is not mentioned again.
    await toAna(world, await handOver(world, again));
    await modal(world, '<@U0ANA> is on it now.');
    const window = await handOver(world, await onIt(world, message, 'U0ANA'));
    expect(window.view.title).toMatchObject({ text: '1012 · edge-7' });
    await slack.click({ view: window, actionId: 'release', user: 'ben' });
    expect(offers(await onIt(world, message))).toContain('on-it');
    await modal(world, 'Nobody is on it now.');
    expect(slack.messages(SUPPORT)).toHaveLength(2);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test('A window that was open for too long hands nothing over, and says so', async ({ world }) => {
  const message = await ask(world, '1012');
  await world.slack.click({ message, actionId: 'on-it', user: 'ana' });
  const view = await handOver(world, await onIt(world, message, 'U0ANA'));
  world.clock.ahead = 31 * 60_000;
  await toAna(world, view);
  await modal(world, 'Open it again from the message');
  await onIt(world, message, 'U0ANA');
});

test.for([
  ['is of another company', 'C0PARTNERS', 'U0GUEST'],
  ['is not in the conversation', 'C0DESK', 'U0MIA'],
  ['is an app', 'C0DESK', 'U0DEPLOY'],
] as const)(
  'Nothing is handed to somebody who %s, and the window says so',
  async ([, channel, to], { open }) => {
    const variables = { ALLOW_SHARED_CHANNELS: 'yes', ALLOW_GUESTS: 'yes' };
    const world = await open({ variables });
    const { slack } = world;
    slack.addChannel('C0DESK');
    slack.leave('C0DESK', 'U0MIA');
    await slack.command({ text: '1012', channel, user: 'ben' });
    const message = await reads(world, '1 hit', { channel });
    await slack.click({ message, actionId: 'on-it', user: 'ben' });
    await slack.waitFor(() => (callsOf(world, 'response_url') > 0 ? true : undefined), 'a name on it');
    const owned = slack.messages(channel).find(({ ts }) => ts === message.ts) ?? message;
    const view = await handOver(world, owned);
    await slack.click({ view, actionId: 'hand-over-to', value: to, user: 'ben' });
    await modal(world, 'so nothing was handed over');
    expect(slack.messages(channel)).toHaveLength(1);
  },
);

test('Where Slack does not let the bot know who reads there, it is handed over', async ({ open }) => {
  const scopes = ['commands', 'chat:write', 'users:read'];
  const world = await open({ slack: { scopes } });
  const message = await ask(world, '1012');
  await world.slack.click({ message, actionId: 'on-it', user: 'ben' });
  await toAna(world, await handOver(world, await onIt(world, message, 'U0BEN')));
  await onIt(world, message, 'U0ANA');
});

test('Who hands it over keeps the page that somebody else has turned to meanwhile', async ({ world }) => {
  const message = await ask(world, '1001');
  await world.slack.click({ message, actionId: 'on-it', user: 'ben' });
  const owned = await onIt(world, message, 'U0BEN');
  const view = await handOver(world, owned);
  await world.slack.click({ message: owned, actionId: 'page-next', user: 'ana' });
  await reads(world, 'hits 4–8 of');
  await toAna(world, view);
  expect((await onIt(world, message, 'U0ANA')).text).toContain('hits 4–8 of');
});

test('Where the bot may not post any more, whoever hands it over is told to say so', async ({ world }) => {
  const message = await ask(world, '1012');
  await world.slack.click({ message, actionId: 'on-it', user: 'ben' });
  const view = await handOver(world, await onIt(world, message, 'U0BEN'));
  world.slack.leave(SUPPORT);
  await toAna(world, view);
  await onIt(world, message, 'U0ANA');
  await modal(world, 'tell them yourself');
});

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

test('A result that one person sees does not offer it', async ({ world }) => {
  await world.slack.command({ text: '1012', user: 'ben', channel: 'C0SECRET' });
  const ephemeral = await reads(world, '1 hit', { channel: 'C0SECRET', viewer: 'ben' });
  expect(offers(ephemeral)).not.toContain('on-it');
  await choose(world, ephemeral, 'more', 'Refresh');
  await world.slack.say({ text: '1012', channel: DM });
  const direct = await reads(world, '1 hit', { channel: DM });
  expect(offers(direct)).not.toContain('on-it');
});

test.for([
  ['deleted the snapshot', ({ service }: World) => service.shelve('1012', GONE)],
  ['fails every request', ({ service }: World) => Object.assign(service.switches, { apiStatus: 503 })],
  ['does not answer', ({ service }: World) => service.hold()],
] as const)('A name comes and goes without the service, which %s', async ([, breaks], { world }) => {
  const message = await ask(world, '1012');
  // The result is no longer kept.
  world.clock.ahead = 16 * 60_000;
  breaks(world);
  await world.slack.click({ message, actionId: 'on-it', user: 'ana' });
  const ana = await onIt(world, message, 'U0ANA');
  await world.slack.click({ view: await handOver(world, ana), actionId: 'release', user: 'ben' });
  const nobody = await onIt(world, message);
  const layout = ({ blocks }: VisibleMessage) => blocks.map(({ block_id: _, ...block }) => block);
  expect(layout(nobody)).toEqual(layout(message));
  expect(nobody.text).toBe(message.text);
  expect(world.service.records.requests).toHaveLength(1);
});

type Act = () => Promise<unknown>;
const FILTER = async (world: World, message: VisibleMessage): Promise<Act> => {
  return () => choose(world, message, 'filter', '◆ Critical', 'ana');
};
const searching = async (world: World, message: VisibleMessage): Promise<Act> => {
  await choose(world, message, 'more', 'Search…', 'ana');
  const view = await modal(world, 'Search for', 'ana');
  return () => world.slack.submit({ view, values: { 'search-for': 'tmm' } });
};
const SEARCH = async (world: World, message: VisibleMessage): Promise<Act> => {
  // Before a window changes what others see, Slack is asked about the conversation: once, and here before it is slow.
  const first = await searching(world, await ask(world, '1012'));
  await first();
  await world.slack.waitFor(() => callsOf(world, 'response_url') > 0 || undefined, 'the first search');
  return searching(world, message);
};

test.for([
  ['a filter', FILTER, 'U0BEN'],
  ['a search', SEARCH, 'U0BEN'],
] as const)('A name stays when Slack takes %s from before last', async ([, prepare, named], { world }) => {
  const { slack } = world;
  // Slack is asked about Ben before it is slow.
  await ask(world, '1002', 'ben');
  const message = await ask(world, '1001');
  const act = await prepare(world, message);
  const before = callsOf(world, 'response_url');
  const sent = (count: number) =>
    slack.waitFor(
      () => callsOf(world, 'response_url') >= before + count || undefined,
      `${count} messages to be sent`,
    );
  const releaseAna = slack.hold();
  await act();
  await sent(1);
  const releaseBen = slack.hold();
  await slack.click({ message, actionId: 'on-it', user: 'ben' });
  await sent(2);
  releaseBen();
  await onIt(world, message, named);
  releaseAna();
  await sent(3);
  await onIt(world, message, named);
});
