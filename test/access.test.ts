import { describe, expect } from 'vitest';
import { type AccessRules, refusalOf } from '../src/slack/access.ts';
import type { Actor, Entrance } from '../src/slack/actor.ts';
import { OTHER_ID } from '../src/slack/messages/compare-modal.ts';
import { modal } from './harness/clicking.ts';
import { ask, SUPPORT, test as sequential } from './harness/conversation.ts';
import { DM, fromBot, MODES, reads, small, writes } from './harness/places.ts';
import type { Workplace } from './harness/workplace.ts';
import type { Delivery, OpenView, VisibleMessage } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const PATIENT = { patienceMs: 10_000 };

/** What a workplace has before anybody is refused: a result, a wait, a message of a person, an open modal. */
type Scene = {
  readonly workplace: Workplace;
  readonly result: VisibleMessage;
  readonly waiting: VisibleMessage;
  readonly said: VisibleMessage;
  readonly user: string;
};

async function scene(workplace: Workplace, user: string, channel = SUPPORT): Promise<Scene> {
  const { slack, service } = workplace;
  service.shelve('2001', small({ forMs: 'forever' }));
  await slack.command({ text: '1001 hit', user: 'ana', channel });
  const result = await reads(workplace, '37 hits', { channel });
  await slack.command({ text: '2001', user: 'ana', channel });
  const waiting = await reads(workplace, 'is still being processed', { channel });
  const { message: said } = await slack.say({ text: 'see 10012345', channel });
  return { workplace, result, waiting, said, user };
}

/** Every way to ask the bot for something. Each is one delivery, by somebody who is in the channel of the scene. */
const ENTRANCES: Record<string, (scene: Scene) => Promise<Delivery | undefined>> = {
  'a command': ({ workplace, user, said: { channel } }) =>
    workplace.slack.command({ text: '1012', user, channel }),
  'a command that is not understood': ({ workplace, user, said: { channel } }) =>
    workplace.slack.command({ text: 'what?', user, channel }),
  'a mention': async ({ workplace, user, said: { channel } }) =>
    (await workplace.slack.mention({ text: '1012', user, channel })).deliveries[0],
  'a mention in a thread': async ({ workplace, user, said: { channel, ts } }) =>
    (await workplace.slack.mention({ text: '1012', user, channel, threadTs: ts })).deliveries[0],
  'a message shortcut': ({ workplace, user, said }) =>
    workplace.slack.shortcut({ callbackId: 'diagnose-snapshot', message: said, user }),
  'a page of a result': ({ workplace, user, result }) =>
    workplace.slack.click({ message: result, actionId: 'page-next', user }),
  'the details of a hit': ({ workplace, user, result }) =>
    workplace.slack.click({ message: result, actionId: 'details', user }),
  'a filter of a result': ({ workplace, user, result }) =>
    workplace.slack.click({ message: result, actionId: 'filter', value: 'critical/', user }),
  'the menu of a result': ({ workplace, user, result }) =>
    workplace.slack.click({ message: result, actionId: 'more', value: 'refresh', user }),
  '"Tell me too"': ({ workplace, user, waiting }) =>
    workplace.slack.click({ message: waiting, actionId: 'tell-me-too', user }),
  '"Cancel"': ({ workplace, user, waiting }) =>
    workplace.slack.click({ message: waiting, actionId: 'cancel', user }),
};

/** The ways that have no channel: what is shown there belongs to the person. */
const PLACELESS: Record<string, (scene: Scene) => Promise<Delivery | undefined>> = {
  'a direct message': async ({ workplace, user }) =>
    (await workplace.slack.say({ text: '1012', user, channel: `@${user}` })).deliveries[0],
  'the global shortcut': ({ workplace, user }) =>
    workplace.slack.shortcut({ callbackId: 'look-up-snapshot', user }),
  'the Home tab': ({ workplace, user }) => workplace.slack.openHome(user),
};

/** All that a person sees that could say no. */
function seen({ workplace, user, said: { channel } }: Scene): string {
  const { slack } = workplace;
  const beside = fromBot(workplace, channel, user).filter(({ ephemeral }) => ephemeral);
  return JSON.stringify([beside, fromBot(workplace, `@${user}`, user), slack.modals(user), slack.home(user)]);
}

/** The entrance leads nowhere: it is acknowledged, the person is told so alone, and nothing else happens. */
async function expectRefused(
  there: Scene,
  enter: (scene: Scene) => Promise<Delivery | undefined>,
  words: string,
): Promise<void> {
  const { workplace, said, result, waiting } = there;
  const before = workplace.service.records.requests.filter(({ id }) => id !== '2001').length;
  const visible = () => fromBot(workplace, said.channel, 'ana').filter(({ ephemeral }) => !ephemeral);
  const publicly = visible().length;
  expect(await enter(there)).toMatchObject({ acknowledged: true });
  await workplace.slack.waitFor(
    () => (seen(there).includes(words) ? true : undefined),
    `to be told: ${words}`,
  );
  expect(workplace.service.records.requests.filter(({ id }) => id !== '2001')).toHaveLength(before);
  expect(visible()).toHaveLength(publicly);
  const now = (ts: string) => visible().find((message) => message.ts === ts);
  expect(now(result.ts)?.history).toEqual(result.history);
  expect(now(waiting.ts)?.text).toContain('is still being processed');
}

const EVERYWHERE = { ...ENTRANCES, ...PLACELESS };

for (const mode of MODES) {
  test.for(Object.entries(ENTRANCES))(
    `ALLOWED_CHANNELS refuses %s in another channel, also on what was posted before, over ${mode}`,
    async ([, enter], { open }) => {
      const workplace = await open({ mode, timing: PATIENT });
      const there = await scene(workplace, 'ana');
      await workplace.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
      await expectRefused(there, enter, 'may not be used in this conversation');
    },
  );

  test.for(Object.entries(EVERYWHERE))(
    `ALLOWED_USERGROUPS refuses %s of who is in none of them, over ${mode}`,
    async ([, enter], { open }) => {
      const workplace = await open({ mode, timing: PATIENT });
      const there = await scene(workplace, 'ben');
      await workplace.restart({ ALLOWED_USERGROUPS: 'S0ONCALL' });
      await expectRefused(there, enter, 'members of certain user groups');
    },
  );
}

test.for(Object.entries(ENTRANCES).filter(([name]) => !name.includes('command')))(
  'A member of another company in a shared channel is refused %s',
  async ([, enter], { open }) => {
    const workplace = await open({ timing: PATIENT });
    const there = await scene(workplace, 'guest', 'C0PARTNERS');
    await expectRefused(there, enter, 'answers only people of the company');
  },
);

test('What another bot writes is not answered at all', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const { deliveries } = await workplace.slack.mention({ text: '1012', user: 'deploybot' });
  expect(deliveries[0]).toMatchObject({ acknowledged: true });
  await ask(workplace, '1002');
  expect(writes(workplace)).toEqual(['chat.postMessage']);
});

const ALLOWED: [what: string, variables: Record<string, string>][] = [
  ['in an allowed channel', { ALLOWED_CHANNELS: `C0WARROOM, ${SUPPORT}` }],
  ['to a member of an allowed group', { ALLOWED_USERGROUPS: 'S0OTHERS,S0ONCALL' }],
  ['where both are met', { ALLOWED_CHANNELS: SUPPORT, ALLOWED_USERGROUPS: 'S0ONCALL' }],
];

test.for(ALLOWED)('Everything works %s', async ([, variables], { open }) => {
  const workplace = await open({ timing: PATIENT, variables });
  workplace.slack.setUserGroup('S0OTHERS', []);
  const there = await scene(workplace, 'ana');
  const turned = () => workplace.slack.click({ message: there.result, actionId: 'page-next' });
  await turned();
  await reads(workplace, 'page 2 of');
  await workplace.slack.mention({ text: '1012' });
  await reads(workplace, '1 hit');
});

test('When both are set, both must be met', async ({ open }) => {
  const variables = { ALLOWED_CHANNELS: 'C0WARROOM', ALLOWED_USERGROUPS: 'S0ONCALL' };
  const workplace = await open({ timing: PATIENT, variables });
  await workplace.slack.command({ text: '1012', channel: 'C0WARROOM', user: 'ben' });
  await workplace.slack.command({ text: '1012', channel: SUPPORT, user: 'ana' });
  expect(workplace.slack.messages('C0WARROOM', 'ben')[0]?.text).toContain('certain user groups');
  expect(workplace.slack.messages(SUPPORT, 'ana')[0]?.text).toContain('this conversation');
  expect(workplace.service.records.requests).toEqual([]);
});

/** The modal on top, once it can be filled in. */
function form({ slack }: Workplace): Promise<OpenView> {
  return slack.waitFor(() => slack.modals().find(({ view }) => view.submit !== undefined), 'the modal');
}

test('A modal does not lead into a channel that is not allowed', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { ALLOWED_CHANNELS: SUPPORT } });
  const { slack } = workplace;
  for (const values of [
    { id: '1012', where: 'C0WARROOM' },
    { id: '1012', where: 'C0RANDOM' },
    { id: '1012' },
  ]) {
    await slack.shortcut({ callbackId: 'look-up-snapshot' });
    const view = await form(workplace);
    await slack.submit({ view, values });
    expect(JSON.stringify(slack.modals())).toContain('may not be used in this conversation');
  }
  expect(workplace.service.records.requests).toEqual([]);
  await slack.shortcut({ callbackId: 'look-up-snapshot' });
  await slack.submit({ view: await form(workplace), values: { id: '1012', where: SUPPORT } });
  await reads(workplace, '1 hit');
});

test('A modal that was opened from a message is judged by the channel of the message, when it is sent', async ({
  open,
}) => {
  const workplace = await open({ timing: PATIENT });
  const { slack } = workplace;
  const { message } = await slack.say({ text: '10012345 or 10012346' });
  await slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  const view = await form(workplace);
  await workplace.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await slack.submit({ view, values: { id: '10012345' } });
  expect(JSON.stringify(slack.modals())).toContain('may not be used in this conversation');
  expect(workplace.service.records.requests).toEqual([]);
});

const RULES: [rule: Record<string, string>, words: string][] = [
  [{ ALLOWED_CHANNELS: 'C0WARROOM' }, 'may not be used in this conversation'],
  [{ ALLOWED_USERGROUPS: 'S0ONCALL' }, 'members of certain user groups'],
];

test.for(RULES)(
  'With %s, nothing can be done in the details that were opened before',
  async ([rule, words], { open }) => {
    const workplace = await open({ timing: PATIENT });
    const { result } = await scene(workplace, 'ben');
    await workplace.slack.click({ message: result, actionId: 'details', user: 'ben' });
    const details = await modal(workplace, 'hit-next');
    await workplace.restart(rule);
    await workplace.slack.click({ view: details, actionId: 'hit-next', user: 'ben' });
    expect(JSON.stringify((await modal(workplace, words)).view)).not.toContain('hit-next');
  },
);

test.for(RULES)(
  'With %s, nothing can be compared in the modal that was opened before',
  async ([rule, words], { open }) => {
    const workplace = await open({ timing: PATIENT });
    const { result } = await scene(workplace, 'ben');
    await workplace.slack.click({ message: result, actionId: 'more', value: 'compare', user: 'ben' });
    const comparing = await modal(workplace, 'Compare');
    await workplace.restart(rule);
    await workplace.slack.submit({ view: comparing, values: { [OTHER_ID]: '1002' } });
    await modal(workplace, words);
    expect(workplace.service.records.requests.filter(({ id }) => id === '1002')).toEqual([]);
  },
);

test('Where direct messages are not allowed they are refused there', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { ALLOWED_CHANNELS: SUPPORT } });
  await workplace.slack.say({ text: '1012', channel: DM });
  await reads(workplace, 'may not be used', { channel: DM });
  expect(workplace.service.records.requests).toEqual([]);
});

test('The Home tab leaves out what was asked where the bot may not be used any more', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  await ask(workplace, '1012');
  await workplace.restart({ ALLOWED_CHANNELS: 'C0WARROOM' });
  await workplace.slack.openHome();
  const home = await workplace.slack.waitFor(() => workplace.slack.home(), 'the Home tab');
  expect(JSON.stringify(home.view)).toContain('None in the last days.');
});

test('Who is not allowed is left in peace when only speaking of the bot', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { ALLOWED_CHANNELS: 'C0WARROOM' } });
  await workplace.slack.mention({ text: 'is great' });
  await workplace.slack.command({ text: '1012', channel: 'C0WARROOM' });
  await reads(workplace, '1 hit', { channel: 'C0WARROOM' });
  expect(writes(workplace)).toEqual(['chat.postMessage']);
});

const UNREADABLE: [what: string, fail: (workplace: Workplace) => void][] = [
  ['is asked in vain', ({ slack }) => slack.failNext('usergroups.users.list', { error: 'missing_scope' })],
  ['does not answer', ({ slack }) => slack.failNext('usergroups.users.list', 'hang')],
];

test.for(UNREADABLE)(
  'While Slack %s who is in a group, nobody gets in, in time',
  async ([, fail], { open }) => {
    const workplace = await open({ timing: PATIENT, variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
    fail(workplace);
    expect(await workplace.slack.command({ text: '1012' })).toMatchObject({ acknowledged: true });
    await reads(workplace, 'cannot find out right now');
    expect(workplace.service.records.requests).toEqual([]);
  },
);

test('Members of a group are read once in a while, not for each request', async ({ open }) => {
  const workplace = await open({ timing: PATIENT, variables: { ALLOWED_USERGROUPS: 'S0ONCALL' } });
  for (let times = 0; times < 3; times += 1) await ask(workplace, '1012');
  const { calls } = workplace.slack.records;
  expect(calls.filter(({ method }) => method === 'usergroups.users.list')).toHaveLength(1);
});

test('Without rules no user group is read, and no scope is needed for it', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  await ask(workplace, '1012');
  const { calls } = workplace.slack.records;
  expect(calls.filter(({ method }) => method.startsWith('usergroups'))).toEqual([]);
});

describe('the decision', () => {
  const OPEN: AccessRules = { channels: [], userGroups: [] };
  const COMMAND: Entrance = { kind: 'command' };
  const actor = (changes: Partial<Actor>): Actor => ({
    entrance: COMMAND,
    user: 'U1',
    team: 'T1',
    isBot: false,
    channels: ['C1'],
    ...changes,
  });
  const decide = (changes: Partial<Actor>, rules: Partial<AccessRules> = {}, isMember?: boolean) =>
    refusalOf(actor(changes), { rules: { ...OPEN, ...rules }, teams: ['T1', 'E1'], isMember });

  test.for([
    ['everyone of the workspace, without rules', {}, {}, undefined, undefined],
    ['somebody of the organisation', { team: 'E1' }, {}, undefined, undefined],
    ['a bot', { isBot: true }, {}, true, 'bot'],
    ['another company', { team: 'T2' }, {}, true, 'foreigner'],
    ['nobody knows which company', { team: undefined }, {}, true, 'foreigner'],
    ['an allowed channel', {}, { channels: ['C1'] }, undefined, undefined],
    ['another channel', {}, { channels: ['C2'] }, undefined, 'channel'],
    [
      'two channels, of which one is allowed',
      { channels: ['C1', 'C2'] },
      { channels: ['C1'] },
      undefined,
      'channel',
    ],
    ['no channel where there should be one', { channels: [] }, { channels: ['C1'] }, undefined, 'channel'],
    [
      'the Home tab',
      { channels: [], entrance: { kind: 'home-opened' } },
      { channels: ['C1'] },
      undefined,
      undefined,
    ],
    ['a member', {}, { userGroups: ['S1'] }, true, undefined],
    ['no member', {}, { userGroups: ['S1'] }, false, 'person'],
    ['perhaps a member', {}, { userGroups: ['S1'] }, undefined, 'unsure'],
    ['a member in another channel', {}, { userGroups: ['S1'], channels: ['C2'] }, true, 'channel'],
    ['a member in an allowed channel', {}, { userGroups: ['S1'], channels: ['C1'] }, true, undefined],
  ] as [string, Partial<Actor>, Partial<AccessRules>, boolean | undefined, string | undefined][])(
    '%s',
    ([, changes, rules, isMember, refusal]) => {
      expect(decide(changes, rules, isMember)).toBe(refusal);
    },
  );
});
