import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { callsOf, fromBot, MODES, reads } from '../support/bot-messages.ts';
import { modal, told } from '../support/clicking.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { beginWait } from '../support/slack-troubles.ts';

const test = sequential.concurrent;

test('A report is handed over also in a window that was open for longer than its response URL lasts', async ({
  world,
}) => {
  await world.slack.click({ message: await ask(world, '1001'), actionId: 'own', user: 'ana' });
  const isOwned = () => fromBot(world).find(({ blocks }) => JSON.stringify(blocks).includes('"hand-over"'));
  const message = await world.slack.waitFor(isOwned, 'an owner');
  await world.slack.click({ message, actionId: 'hand-over', user: 'ana' });
  world.slack.failNext('response_url', { status: 404 });
  await world.slack.submit({
    view: await modal(world, 'new-owner', 'ana'),
    values: { 'new-owner': 'U0BEN' },
  });
  await reads(world, 'is on it now: Snapshot 1001');
  await world.slack.waitFor(
    () => fromBot(world).find(({ blocks }) => JSON.stringify(blocks).includes('<@U0BEN> since')),
    'the new owner',
  );
});

test('A person whose private result can’t be posted in the conversation is told so in a direct message', async ({
  world,
}) => {
  await world.slack.command({ text: '1001', user: 'ben', channel: 'C0SECRET' });
  const message = await reads(world, '37 hits', { channel: 'C0SECRET', viewer: 'ben' });
  world.slack.archive('C0SECRET');
  await world.slack.click({ message, actionId: 'post-here', user: 'ben' });
  await reads(world, 'Slack didn’t accept Snapshot’s answer', { channel: '@ben', viewer: 'ben' });
});

test('A lookup that the bot no longer has can’t be cancelled or joined, and the person reads what to do', async ({
  world,
}) => {
  const message = await beginWait(world, '2001');
  await world.stopBot();
  rmSync(world.dataDir, { recursive: true });
  await world.restart();
  for (const [actionId, user] of [
    ['cancel', 'ana'],
    ['tell-me-too', 'ben'],
  ] as const) {
    await world.slack.click({ message, actionId, user });
    await told(world, SUPPORT, 'If it shows no answer, ask for the snapshot again.', user);
  }
});

test.for(MODES)(
  'Over %s, a delivery that comes twice opens its window once, and says nothing beside it',
  async (mode, { open }) => {
    const world = await open({ mode });
    const { slack } = world;
    const { message } = await slack.say({ text: 'see 26808463 and 26808470', channel: SUPPORT });
    const own = await slack.command({ text: '1001 me', channel: SUPPORT });
    await modal(world, '37 hits', 'ana');
    for (const delivery of [
      own,
      await slack.shortcut({ callbackId: 'look-up-snapshot' }),
      await slack.shortcut({ callbackId: 'diagnose-snapshot', message }),
    ])
      expect(await slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
    await ask(world, '1002');
    expect(callsOf(world, 'views.open')).toBe(3);
    expect(fromBot(world).filter(({ ephemeral }) => ephemeral)).toEqual([]);
  },
);
