import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { BOT, DM, fromBot, reads, small } from '../support/bot-messages.ts';
import { modal } from '../support/clicking.ts';
import { SUPPORT, test as sequential } from '../support/conversation.ts';
import { objectsIn } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

const HELP = 'To see what you can ask, type /snapshot help.';
const CHAT = 'Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.';
const PURPOSE = /^Shows what the analysis of a diagnostic snapshot found/;

/** The labels of a message's buttons. */
function buttons({ blocks }: VisibleMessage): string[] {
  return objectsIn(blocks)
    .filter(({ type }) => type === 'button')
    .map(({ text }) => String((text as { text: string }).text));
}

/** What a person sees next of the bot in a conversation. */
async function next(world: World, channel: string, act: () => Promise<unknown>): Promise<VisibleMessage> {
  const before = fromBot(world, channel, 'ana').length;
  await act();
  return world.slack.waitFor(() => fromBot(world, channel, 'ana')[before], 'an answer');
}

test('A mistake in a command is answered in a line, with a button for what is right', async ({ world }) => {
  const answers: (readonly [string, string, readonly string[]])[] = [
    [
      '1001 crit',
      'Did you mean “/snapshot 1001 critical”? To search for “crit”, put it in quotes.',
      ['1001 critical'],
    ],
    ['hti 1001', '“hti” is not a snapshot id. Did you mean “/snapshot 1001 hit”?', ['1001 hit']],
    ['edge-7', `“edge-7” is not a snapshot id. ${HELP}`, []],
    ['1001 hit miss', 'Use either hit or miss, not both.', ['1001 hit', '1001 miss']],
  ];
  const given: (readonly [string, string, readonly string[]])[] = [];
  for (const [text] of answers) {
    const answer = await next(world, SUPPORT, () => world.slack.command({ text }));
    expect(answer.ephemeral).toBe(true);
    given.push([text, answer.text, buttons(answer)]);
  }
  expect(given).toEqual(answers);
  expect(world.service.records.requests).toEqual([]);
});

test('A sentence in a mention is understood, or answered in one line for its author', async ({ world }) => {
  for (const id of ['10012345', '10012346']) world.service.shelve(id, small());
  const rows: (readonly [string, string | RegExp, (readonly string[])?])[] = [
    ['can you check 10012345 please', /^Snapshot 10012345 .*1 hit/],
    ['can you look at 10012345 and 10012346?', /^Snapshots 10012345 → 10012346/],
    [
      'can you check it please',
      'Which snapshot? Mention me with its id. To see what you can ask, type @Snapshot help.',
      [],
    ],
    [
      '1001 crit',
      'Did you mean “＠Snapshot 1001 critical”? To search for “crit”, put it in quotes.',
      ['1001 critical'],
    ],
  ];
  for (const [text, reply, offered] of rows) {
    const answer = await next(world, SUPPORT, () => world.slack.mention({ text }));
    await (typeof reply === 'string' ? Promise.resolve() : reads(world, reply, { viewer: 'ana' }));
    if (typeof reply === 'string') expect(answer.text).toBe(reply);
    if (offered !== undefined) expect(buttons(answer)).toEqual(offered);
  }
});

test('A direct message is chat, a lookup or a question; a number that is no id is not taken for one', async ({
  world,
}) => {
  world.service.shelve('10012345', small());
  const rows: (readonly [string, string | RegExp])[] = [
    ['thanks!', CHAT],
    ['see you at 10:30', CHAT],
    ['can you check 10012345 please', /^Snapshot 10012345 .*1 hit/],
    ['check 1012', /^Snapshot 1012 .*1 hit/],
    ['stop watching 1012', '“stop” is not a snapshot id. Did you mean “/snapshot unwatch 1012”?'],
    ['help', PURPOSE],
  ];
  for (const [text, reply] of rows) {
    const answer = await next(world, DM, () => world.slack.say({ text, channel: DM }));
    if (typeof reply === 'string') expect([text, answer.text]).toEqual([text, reply]);
    else await reads(world, reply, { channel: DM });
  }
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['10012345', '1012']);
});

test('The button for a misspelled “help” puts the help in the place of the question, for who asked alone', async ({
  world,
}) => {
  for (const [channel, ask] of [
    [SUPPORT, () => world.slack.command({ text: 'hlep' })],
    [DM, () => world.slack.say({ text: 'hlep', channel: DM })],
  ] as const) {
    const question = await next(world, channel, ask);
    expect(buttons(question)).toEqual(['help']);
    await world.slack.click({ message: question, actionId: 'choose-0', user: 'ana' });
    await world.slack.waitFor(
      () => fromBot(world, channel, 'ana').find(({ text }) => PURPOSE.test(text)),
      'the help',
    );
    expect(fromBot(world, channel, 'ana')).toHaveLength(1);
  }
  expect(fromBot(world, SUPPORT, 'ben')).toEqual([]);
});

test('A button of the question posts the answer for all where the question was typed, and removes the question', async ({
  world,
}) => {
  const question = await next(world, SUPPORT, () => world.slack.command({ text: '1010 1011 1010' }));
  await world.slack.click({ message: question, actionId: 'choose-0', user: 'ana' });
  await world.slack.click({ message: question, actionId: 'choose-0', user: 'ana' }).catch(() => undefined);
  const answer = await reads(world, 'Snapshots 1010 → 1011');
  expect(answer.ephemeral).toBeUndefined();
  expect(fromBot(world, SUPPORT, 'ana').filter(({ ephemeral }) => ephemeral)).toEqual([]);
});

test('A button asks for what its text does: a follow, or a result for its author alone', async ({
  world,
}) => {
  const press = async (text: string) => {
    const message = await next(world, SUPPORT, () => world.slack.command({ text }));
    await world.slack.click({ message, actionId: 'choose-0', user: 'ana' });
  };
  await press('hti 1012 me');
  await modal(world, 'Snapshot 1012', 'ana');
  expect(world.slack.messages(SUPPORT).filter(({ ephemeral }) => !ephemeral)).toEqual([]);
  await press('watch 1012 critical');
  await reads(world, /^Snapshot 1012 .*1 hit/);
  await press('stop watching 1012');
  await reads(world, 'You no longer follow snapshot 1012', { viewer: 'ana' });
});

test('Chosen in a thread, the answer comes there; chosen in a direct message, it replaces the question', async ({
  world,
}) => {
  const { message } = await world.slack.say({
    text: `<@${BOT}> 10101010 10101010`,
  });
  const question = await world.slack.waitFor(
    () => fromBot(world, SUPPORT, 'ana').find(({ text }) => text.startsWith('Name each')),
    'the question',
  );
  await world.slack.click({ message: question, actionId: 'choose-0', user: 'ana' });
  expect((await reads(world, 'Snapshot 10101010 was not found')).threadTs).toBe(message.ts);
  const asked = await next(world, DM, () => world.slack.say({ text: '1012 1012', channel: DM }));
  await world.slack.click({ message: asked, actionId: 'choose-0', user: 'ana' });
  expect((await reads(world, '1 hit', { channel: DM })).ts).toBe(asked.ts);
});
