import { describe, expect } from 'vitest';
import { type AccessRules, refusalOf } from '../src/slack/access.ts';
import type { Actor, Entrance } from '../src/slack/actor.ts';
import { ask, test as sequential } from './harness/conversation.ts';
import { reads } from './harness/places.ts';
import type { Workplace } from './harness/workplace.ts';

const test = sequential.concurrent;
const PATIENT = { patienceMs: 10_000 };

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
