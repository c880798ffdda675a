import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { DM, fromBot, reads, small } from '../support/bot-messages.ts';
import { SUPPORT, test as sequential } from '../support/conversation.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;

const HELP = 'To see what you can ask, type /snapshot help.';
const CHAT = 'Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.';
const LINK = 'https://x.example/?page=2';

/** The bot's next message in a conversation after `act`, as Ana sees it. */
async function next(world: World, channel: string, act: () => Promise<unknown>): Promise<VisibleMessage> {
  const before = fromBot(world, channel, 'ana').length;
  await act();
  return world.slack.waitFor(() => fromBot(world, channel, 'ana')[before], 'an answer');
}

test('A command that can’t be understood is answered in one sentence, for its author alone', async ({
  world,
}) => {
  for (const [text, sentence] of [
    ['edge-7', '“edge-7” names no snapshot: type its id.'],
    ['<!channel> edge-7', '“edge-7” names no snapshot: type its id.'],
    [`<${LINK}>`, 'This link names no snapshot: paste its id.'],
    ['1001 miss critical', 'Only hits can be filtered, not passed checks: leave out “miss”.'],
  ] as const) {
    const answer = await next(world, SUPPORT, () => world.slack.command({ text }));
    expect(answer).toMatchObject({ ephemeral: true, text: `${sentence} ${HELP}` });
  }
  expect(fromBot(world, SUPPORT, 'ben')).toEqual([]);
  expect(world.service.records.requests).toEqual([]);
});

test('A mention without an id is answered where it is short and speaks to the bot', async ({ world }) => {
  const which = 'Which snapshot? Mention me with its id. To see what you can ask, type @Snapshot help.';
  for (const [text, reply] of [
    ['can you check it please', which],
    [LINK, 'This link names no snapshot: paste its id. To see what you can ask, type @Snapshot help.'],
  ] as const) {
    const answer = await next(world, SUPPORT, () => world.slack.mention({ text }));
    expect(answer).toMatchObject({ ephemeral: true, text: reply });
  }
  for (const text of ['thanks a lot!', 'is what we look things up with, since the spring of 2026'])
    await world.slack.mention({ text });
  await world.slack.mention({ text: '1012' });
  await reads(world, '1 hit');
  expect(fromBot(world, SUPPORT, 'ana')).toHaveLength(3);
});

test('A direct message is chat, a lookup or a request for help', async ({ world }) => {
  world.service.shelve('10012345', small());
  for (const [text, reply] of [
    ['thanks!', CHAT],
    ['see you at 10:30', CHAT],
    [LINK, `This link names no snapshot: paste its id. ${HELP}`],
    ['can you check 10012345 please', /^Snapshot 10012345 .*1 hit/],
    ['snapshot 1012', /^Snapshot 1012 .*1 hit/],
    ['help', /26808463 CVE-2026-10000/],
  ] as const) {
    const answer = await next(world, DM, () => world.slack.say({ text, channel: DM }));
    if (typeof reply === 'string') expect([text, answer.text]).toEqual([text, reply]);
    else await reads(world, reply, { channel: DM });
  }
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['10012345', '1012']);
});

test('What is forwarded in a direct message or a mention is read like text, and so is the name of a file', async ({
  world,
}) => {
  for (const id of ['10012345', '10012346', '10012347']) world.service.shelve(id, small());
  const share = (text: string) => ({
    attachments: [{ is_share: true, from_url: 'https://a.slack.com/archives/C1/p1', text }],
  });
  await world.slack.say({ text: '', channel: DM, extras: share('edge-7: 10012345') });
  await reads(world, /^Snapshot 10012345 .*1 hit/, { channel: DM });
  await world.slack.mention({ text: 'please', extras: share('edge-8: 10012346') });
  await reads(world, /^Snapshot 10012346 .*1 hit/);
  await world.slack.say({
    text: '',
    channel: DM,
    extras: { files: [{ id: 'F1', name: 'qkview-10012347.tgz' }] },
  });
  await reads(world, /^Snapshot 10012347 .*1 hit/, { channel: DM });
});

test('“critcal”, which finds nothing, is offered as “critical”, whose press is answered once, in the thread', async ({
  world,
}) => {
  await world.slack.command({ text: '1001 critcal' });
  const message = await reads(world, 'Did you mean critical?');
  expect(message.text).toContain('“critcal” is in 0 of 37 hits');
  const press = { message, actionId: 'did-you-mean', user: 'ben' };
  expect((await world.slack.click(press)).acknowledged).toBe(true);
  await world.slack.click(press);
  const answer = await reads(world, '2 critical of 37 hits');
  expect(answer.threadTs).toBe(message.ts);
  expect(fromBot(world, SUPPORT, 'ana')).toHaveLength(2);
});

test('A word that finds nothing and is near no word of a command is offered as no other', async ({
  world,
}) => {
  await world.slack.command({ text: '1001 zebra' });
  expect((await reads(world, '“zebra” is in 0')).text).not.toContain('Did you mean');
});
