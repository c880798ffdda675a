import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { DM, MODES, reads, writes } from '../support/bot-messages.ts';
import { choose } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import { deliverInteraction } from '../support/slack-event.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const variablesOf = stores();

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
