import { expect } from 'vitest';
import { BOT, fromBot, reads, small } from '../support/bot-messages.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import {
  ENTRY_POINTS,
  ENTRY_POINTS_WITHOUT_CHANNEL,
  expectRefused,
  prepare,
} from '../support/entry-points.ts';
import { eventually } from '../support/eventually.ts';
import { shelveAnalysis } from '../support/following.ts';
import { beginWait } from '../support/slack-troubles.ts';

const test = sequential.concurrent;
const LATE_PROGRESS = { progressAfterMs: 10_000 };
const PARTNERS = 'C0PARTNERS';
const NOT_SHARED = { ALLOW_SHARED_CHANNELS: 'no' };

test.for(Object.entries({ ...ENTRY_POINTS, ...ENTRY_POINTS_WITHOUT_CHANNEL }))(
  'A guest is refused %s',
  async ([, enter], { open }) => {
    const world = await open({ timing: LATE_PROGRESS });
    await expectRefused(await prepare(world, 'mia'), enter, 'doesn’t answer guests');
  },
);

test('Guests are answered with ALLOW_GUESTS=yes', async ({ open }) => {
  const world = await open({ timing: LATE_PROGRESS, variables: { ALLOW_GUESTS: 'yes' } });
  await world.slack.command({ text: '1012', user: 'mia' });
  await reads(world, '1 hit');
});

test('Without the scope users:read guests can not be told apart, and everybody of the workspace is answered', async ({
  open,
}) => {
  const world = await open({
    timing: LATE_PROGRESS,
    slack: { scopes: ['commands', 'chat:write', 'channels:read'] },
  });
  await world.slack.command({ text: '1012', user: 'mia' });
  await reads(world, '1 hit');
});

test('Without the scope channels:read shared channels can not be told apart, and each is answered', async ({
  open,
}) => {
  const scopes = ['commands', 'chat:write', 'users:read'];
  const world = await open({ timing: LATE_PROGRESS, variables: NOT_SHARED, slack: { scopes } });
  await world.slack.command({ text: '1012' });
  await reads(world, '1 hit');
});

const DIRECTLY = 'I’ll answer you in a direct message';
test.for(['a command', 'a mention', 'a mention in a thread', 'a message shortcut'])(
  'In a channel shared with another company %s is answered in a direct message, with the reason',
  async (name, { open }) => {
    const world = await open({ timing: LATE_PROGRESS, variables: NOT_SHARED });
    const { message: said } = await world.slack.say({ text: 'see 10012345', channel: PARTNERS });
    world.service.shelve('10012345', small());
    const there = { world, user: 'ana', said, result: said, waiting: said };
    await ENTRY_POINTS[name]?.(there);
    const answer = await reads(world, '1 hit', { channel: '@ana' });
    expect(answer.user).toBe(BOT);
    await world.slack.waitFor(
      () =>
        fromBot(world, PARTNERS, 'ana').find(({ text, ephemeral }) => ephemeral && text.includes(DIRECTLY)),
      'the reason',
    );
    expect(fromBot(world, PARTNERS, 'guest')).toEqual([]);
  },
);

test('A person who loses access during a wait does not get the result', async ({ open }) => {
  const world = await open({ timing: LATE_PROGRESS, variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
  await beginWait(world, '2001');
  await world.slack.setUserGroup('S0ONCALL', ['ben']);
  world.service.shelve('2001', small());
  await reads(world, 'can’t be shown here');
});

test('A person who loses access while “compare last” reads a deleted snapshot does not get the report', async ({
  open,
}) => {
  const world = await open({ timing: LATE_PROGRESS, variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
  for (const id of ['2001', '2002']) shelveAnalysis(world, id, { D1: 'HIGH' });
  await ask(world, '2001');
  world.service.nextAnswers([{ status: 404 }], '2001');
  const answer = world.service.hold();
  await world.slack.command({ text: 'compare last 2002' });
  await eventually(() => expect(world.service.records.requests).toHaveLength(2));
  answer();
  const release = world.service.hold();
  await eventually(() => expect(world.service.records.requests).toHaveLength(3));
  await world.slack.setUserGroup('S0ONCALL', ['ben']);
  release();
  await reads(world, 'can’t be shown here');
});

test('Nobody can have the bot post into a conversation that they are not in', async ({ open }) => {
  const world = await open({ timing: LATE_PROGRESS });
  const { slack } = world;
  slack.leave('C0WARROOM', 'ben');
  await slack.shortcut({ callbackId: 'look-up-snapshot', user: 'ben' });
  const form = () =>
    slack.waitFor(() => slack.modals('ben').find(({ view }) => view.submit !== undefined), 'the modal');
  const sent = await slack.submit({ view: await form(), values: { id: '1012', where: 'C0WARROOM' } });
  expect(sent.body).toContain('You can’t post there');
  expect(slack.messages('C0WARROOM', 'ana')).toEqual([]);
  expect(world.service.records.requests).toEqual([]);
  await slack.submit({ view: await form(), values: { id: '1012', where: 'C0SUPPORT' } });
  await reads(world, '1 hit');
});
