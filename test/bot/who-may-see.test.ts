import { expect } from 'vitest';
import { BOT, callsOf, fromBot, reads, small } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import {
  ENTRY_POINTS,
  ENTRY_POINTS_WITHOUT_CHANNEL,
  expectRefused,
  prepare,
} from '../support/entry-points.ts';

const test = sequential.concurrent;
const LATE_PROGRESS = { progressAfterMs: 10_000 };
const PARTNERS = 'C0PARTNERS';
const NOT_SHARED = { ALLOW_SHARED_CHANNELS: 'no' };

for (const guest of ['mia', 'sam']) {
  test.for(Object.entries({ ...ENTRY_POINTS, ...ENTRY_POINTS_WITHOUT_CHANNEL }))(
    `The guest ${guest} is refused %s`,
    async ([, enter], { open }) => {
      const world = await open({ timing: LATE_PROGRESS });
      await expectRefused(await prepare(world, guest), enter, 'doesn’t answer guests');
    },
  );
}

test('Guests are answered where they may be, and who they are is not asked for', async ({ open }) => {
  const world = await open({ timing: LATE_PROGRESS, variables: { ALLOW_GUESTS: 'yes' } });
  await world.slack.command({ text: '1012', user: 'mia' });
  await reads(world, '1 hit');
  expect(callsOf(world, 'users.info')).toBe(0);
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

test('While Slack does not say who asks, everybody is refused', async ({ open }) => {
  const world = await open({ timing: LATE_PROGRESS });
  world.slack.failNext('users.info', { error: 'fatal_error' });
  expect((await world.slack.command({ text: '1012' })).body).toContain('can’t check right now');
  expect(world.service.records.requests).toEqual([]);
});

const STRANGERS: [who: string, user: string, words: string][] = [
  ['A guest', 'mia', 'doesn’t answer guests of this workspace'],
  ['A person of another company', 'guest', 'answers only members of the company that runs it'],
  ['A colleague of the same organization', 'dana', 'you belong to another workspace of your organization'],
];
const WITH_A_FILE = { extras: { files: [{ id: 'F0LOG', name: 'device.log' }] } };
const MENTIONS = STRANGERS.flatMap(([who, ...rest]) => [
  { who, rest, said: {} },
  { who: `${who} who attaches a file`, rest, said: WITH_A_FILE },
]);
test.for(MENTIONS)(
  '$who is refused with the true reason',
  async ({ rest: [user, words], said }, { open }) => {
    const world = await open({ timing: LATE_PROGRESS, slack: { isGrid: true } });
    for (const name of ['C0SUPPORT', PARTNERS]) world.slack.join(name, user);
    const { deliveries } = await world.slack.mention({ text: '1012', user, channel: 'C0SUPPORT', ...said });
    expect(deliveries[0]).toMatchObject({ acknowledged: true });
    await world.slack.waitFor(
      () => fromBot(world, 'C0SUPPORT', user).find(({ text }) => text.includes(words)),
      words,
    );
    expect(world.service.records.requests).toEqual([]);
  },
);

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

test.for(['a page of a result', 'the menu of a result', '"Tell me too"'])(
  'A message that was posted before its channel was shared is not changed there any more: %s',
  async (name, { open }) => {
    const world = await open({ timing: LATE_PROGRESS });
    const there = await prepare(world, 'ana', PARTNERS);
    await world.restart(NOT_SHARED);
    const enter = ENTRY_POINTS[name];
    if (enter === undefined) throw new Error('no such entry point');
    await expectRefused(there, enter, 'shared with another company');
  },
);

test('"Try again" on what was posted before a channel was shared asks for nothing and shows nothing there', async ({
  open,
}) => {
  const world = await open({ timing: LATE_PROGRESS });
  await world.slack.command({ text: '9999', channel: PARTNERS });
  const failed = await reads(world, 'was not found', { channel: PARTNERS });
  await world.restart(NOT_SHARED);
  const asked = world.service.records.requests.length;
  await world.slack.click({ message: failed, actionId: 'ask-again', user: 'ana' });
  await world.slack.waitFor(
    () =>
      fromBot(world, PARTNERS, 'ana').find(
        ({ text, ephemeral }) => ephemeral && text.includes('shared with another company'),
      ),
    'the refusal',
  );
  expect(world.service.records.requests).toHaveLength(asked);
  expect(fromBot(world, PARTNERS, 'guest').map(({ text, history }) => [text, history])).toEqual([
    [failed.text, failed.history],
  ]);
});

test('Where results may be shown in shared channels, they are, and nobody is asked about channels', async ({
  open,
}) => {
  const world = await open({ timing: LATE_PROGRESS, variables: { ALLOW_SHARED_CHANNELS: 'yes' } });
  await world.slack.command({ text: '1012', channel: PARTNERS });
  await reads(world, '1 hit', { channel: PARTNERS });
  expect(callsOf(world, 'conversations.info')).toBe(0);
});

test('Who loses access during a wait does not get the result', async ({ open }) => {
  const world = await open({ timing: LATE_PROGRESS, variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
  world.service.shelve('2001', small({ forMs: 'forever' }));
  await world.slack.command({ text: '2001' });
  await reads(world, 'is still being processed');
  await world.slack.setUserGroup('S0ONCALL', ['ben']);
  world.service.shelve('2001', small());
  await reads(world, 'can’t be shown here');
});

test('Who was taken out of a group is refused at once when Slack tells of it, and after a minute when it does not', async ({
  open,
}) => {
  const world = await open({
    timing: LATE_PROGRESS,
    variables: { ALLOWED_USERGROUPS: 'S0ONCALL' },
  });
  const refusal = async () =>
    (await world.slack.command({ text: 'what?' })).body.includes('certain user groups');
  expect(await refusal()).toBe(false);
  await world.slack.setUserGroup('S0ONCALL', ['ben']);
  expect(await refusal()).toBe(true);
  await world.slack.setUserGroup('S0ONCALL', ['ana']);
  expect(await refusal()).toBe(false);
  const asked = callsOf(world, 'usergroups.users.list');
  world.clock.ahead += 59_000;
  expect(await refusal()).toBe(false);
  expect(callsOf(world, 'usergroups.users.list')).toBe(asked);
  world.clock.ahead += 2_000;
  expect(await refusal()).toBe(false);
  expect(callsOf(world, 'usergroups.users.list')).toBe(asked + 1);
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

test('While Slack does not say who the bot is, it does not start', async ({ open }) => {
  const world = await open({ timing: LATE_PROGRESS });
  world.slack.failNext('auth.test', { error: 'fatal_error' });
  await expect(world.restart()).rejects.toThrow('Slack could not be reached (fatal_error)');
  await expect(world.slack.command({ text: '1012' })).resolves.toMatchObject({ acknowledged: false });
  expect(world.service.records.requests).toEqual([]);
  await world.restart();
  await ask(world, '1012');
});

test.for(['may post', 'has left'])(
  'A window that was opened in a private channel posts there only for who is in it: one who %s',
  async (who, { world }) => {
    const room = { channel: 'C0WARROOM' };
    await world.slack.command({ text: '1012', ...room });
    const message = await reads(world, '1 hit', room);
    await chooseMore(world, message, 'Text for the case', 'ben');
    const view = await modal(world, 'case-text-', 'ben');
    if (who === 'has left') world.slack.leave('war-room', 'ben');
    await world.slack.submit({ view, values: { 'case-text': 'Dear customer' } });
    if (who === 'may post') await reads(world, 'Dear customer', room);
    else await modal(world, 'You aren’t in this private conversation any more', 'ben');
    expect(JSON.stringify(fromBot(world, 'C0WARROOM')).includes('Dear customer')).toBe(who === 'may post');
  },
);
