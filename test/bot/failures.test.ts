import { expect } from 'vitest';
import { type Json, records } from '../emulators/slack/json.ts';
import { reads } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { ask, offers, test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { deliverInteraction } from '../support/slack-event.ts';
import { beginWait } from '../support/slack-troubles.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const OUTDATED = 'This message is from an earlier version';
const NOT_TAKEN = 'Slack didn’t accept Snapshot’s answer';

test.for([
  ['answers the response URL with a 500', { status: 500 }, NOT_TAKEN],
  ['resets the connection', 'reset', NOT_TAKEN],
  ['has closed the response URL', { status: 404 }, 'who asked for it, can cancel this'],
] as const)(
  'When Slack %s, a person who may not press “Cancel” is still answered, and the log calls it no bug',
  async ([, fault, words], { world }) => {
    const message = await beginWait(world, '2001');
    world.slack.failNext('response_url', fault);
    await world.slack.click({ message, actionId: 'cancel', user: 'ben' });
    expect(await reads(world, words, { viewer: 'ben' })).toMatchObject({ ephemeral: true });
    expect(world.log.join()).not.toContain('because of a bug');
  },
);

/** A copy of the last delivery with these changes and a new trigger id, so that it is no duplicate. */
function altered({ slack }: World, changes: (payload: Json) => Json): Json {
  const payload = structuredClone(slack.records.deliveries.at(-1)?.payload ?? {});
  return { ...payload, trigger_id: 'another', ...changes(payload) };
}

function problems({ log }: World): string[] {
  return log.filter((line) => /"level":"(?:warn|error)"/.test(line) && !line.includes('"repair"'));
}

/** Payloads that only a message of another version of the bot can send. */
const OF_ANOTHER_VERSION: Record<string, (payload: Json) => Json> = {
  'a state that this version cannot read': ({ message }) => {
    const { blocks, ...rest } = records([message])[0] ?? {};
    const other = (block: Json) =>
      block.type === 'actions' ? { ...block, block_id: '{"id":"1001","page":7}' } : block;
    return { message: { ...rest, blocks: records(blocks).map(other) } };
  },
  'a name that nobody listens to': ({ actions, message }) =>
    JSON.parse(JSON.stringify({ actions, message }).replaceAll('all-hits', 'page-sideways')),
};

for (const [what, change] of Object.entries(OF_ANOTHER_VERSION)) {
  test(`A person who presses a button with ${what} is told that the message is outdated, and the log has one line`, async ({
    world,
  }) => {
    const message = await ask(world, '1001 hit');
    await world.slack.click({ message, actionId: 'all-hits' });
    await modal(world, 'All 37 hits', 'ana');
    const payload = altered(world, change);
    const before = problems(world).length;
    expect(await deliverInteraction(world, payload)).toBe(200);
    const told = await reads(world, OUTDATED);
    expect(told.ephemeral).toBe(true);
    expect(problems(world).slice(before)).toEqual([expect.stringContaining('cannot have written')]);
  });
}

test('A modal that another version of the bot opened is acknowledged, and logged once, when it is submitted', async ({
  world,
}) => {
  await world.slack.click({ message: await ask(world, '1001'), actionId: 'all-hits', user: 'ben' });
  await world.slack.submit({ view: await modal(world, 'All 37 hits'), values: { search: 'tmm' } });
  const payload = altered(world, ({ view: sent }) => ({
    view: { ...(sent as Json), private_metadata: '{}', hash: 'other' },
  }));
  expect(await deliverInteraction(world, payload)).toBe(200);
  await eventually(() =>
    expect(problems(world).filter((line) => line.includes('cannot have written'))).toHaveLength(1),
  );
});

test('A person who presses “Details” is told when Slack refuses to open the window', async ({ world }) => {
  const message = await ask(world, '1001');
  world.slack.failNext('views.open', { error: 'internal_error' });
  expect((await world.slack.click({ message, actionId: 'details-0', user: 'ben' })).acknowledged).toBe(true);
  expect((await reads(world, NOT_TAKEN, { viewer: 'ben' })).ephemeral).toBe(true);
  expect(problems(world)).toContainEqual(expect.stringContaining('Slack did not take a request'));
});

test('A person who types a command is told when Slack refuses to open its window, also where the bot is no member', async ({
  world,
}) => {
  for (const channel of ['C0SUPPORT', 'C0RANDOM']) {
    world.slack.failNext('views.open', { error: 'internal_error' });
    expect((await world.slack.command({ text: '1012 me', user: 'ben', channel })).acknowledged).toBe(true);
    expect((await reads(world, NOT_TAKEN, { channel, viewer: 'ben' })).ephemeral).toBe(true);
  }
});

test('Refusals and faults name the CONTACT as plain text, without a mention', async ({ open }) => {
  const world = await open({ variables: { CONTACT: '*#bot-help* @channel', ALLOWED_CHANNELS: 'C0SUPPORT' } });
  world.service.nextAnswers([{ status: 406 }]);
  expect((await ask(world, '1012')).text).toContain('Ask ∗#bot-help∗ ＠channel to check DIAGNOSTICS_VENDOR.');
  await world.slack.command({ text: '1012', channel: 'C0WARROOM', user: 'ana' });
  await reads(world, 'Ask ∗#bot-help∗ ＠channel to allow it here.', { channel: 'C0WARROOM', viewer: 'ana' });
});

test('Without CONTACT a fault says to ask the bot admin, and the lookup can be tried again', async ({
  world,
}) => {
  world.service.nextAnswers([{ status: 406 }]);
  const message = await ask(world, '1012');
  expect(message.text).toContain('Ask your bot admin to check DIAGNOSTICS_VENDOR.');
  expect(offers(message)).toEqual(['ask-again']);
});
