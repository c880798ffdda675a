import { describe, expect, test } from 'vitest';
import { type AccessRules, type Circumstances, refusalOf } from '../../src/slack/front/access.ts';

type Actor = Parameters<typeof refusalOf>[0];
type Refusal = NonNullable<ReturnType<typeof refusalOf>>;
type Person = NonNullable<Circumstances['person']>;

describe('the decision about access', () => {
  const OPEN: AccessRules = { channels: [], userGroups: [], apps: [], guests: false, sharedChannels: false };
  const ACTOR: Actor = {
    kind: 'command',
    user: 'U1',
    team: 'T1',
    channels: ['C1'],
  };
  const MEMBER: Person = { teams: ['T1'], isGuest: false, isApp: false };
  const KNOWN: Circumstances = {
    rules: OPEN,
    identity: { team: 'T1', enterprise: 'E1' },
    person: MEMBER,
    isMember: undefined,
    isShared: false,
    permission: 'ask',
  };
  const of = (changes: Partial<Person>) => ({ person: { ...MEMBER, ...changes } });
  const OTHER = of({ teams: ['T2'] });
  type Case = [what: string, actor: Partial<Actor>, known: Partial<Circumstances>, Refusal | undefined];
  const only = (rules: Partial<AccessRules>) => ({ rules: { ...OPEN, ...rules } });
  const rule = { userGroups: ['S1'] };
  const group = only(rule);
  const HOME = { channels: [], kind: 'home-opened' } as const;
  const cases: Case[] = [
    ['everyone of the workspace, without rules', {}, {}, undefined],
    ['somebody whom Slack names by the organization', { team: 'E1' }, of({ teams: ['E1'] }), undefined],
    ['somebody whose company only users.info tells', { team: undefined }, {}, undefined],
    ['and no answer', { team: undefined }, { person: undefined, ...only({ guests: true }) }, 'unsure'],
    ['another company', { team: 'T2' }, OTHER, 'outsider'],
    ['a person who only claims to be of it', {}, of({ teams: ['T2'] }), 'outsider'],
    [
      'the same, with the bot in no organisation',
      { team: 'T2' },
      { ...OTHER, identity: { team: 'T1' } },
      'outsider',
    ],
    ['a colleague of another workspace', { team: 'T3' }, of({ teams: ['T3'] }), 'outsider'],
    ['a colleague who is a member of both', { team: 'T3' }, of({ teams: ['T3', 'T1'] }), undefined],
    ['somebody else, where Slack does not answer', { team: 'T2' }, { person: undefined }, 'unsure'],
    ['a guest', {}, of({ isGuest: true }), 'guest'],
    ['a guest, where guests may', {}, { ...of({ isGuest: true }), ...only({ guests: true }) }, undefined],
    ['perhaps a guest', {}, { person: undefined }, 'unsure'],
    ['perhaps a guest, where guests may', {}, { person: undefined, ...only({ guests: true }) }, undefined],
    ['a click in a shared channel', {}, { permission: 'post', isShared: true }, 'shared'],
    [
      'one that may be',
      {},
      { permission: 'post', isShared: true, ...only({ sharedChannels: true }) },
      undefined,
    ],
    ['a click in what may be a shared channel', {}, { permission: 'post', isShared: undefined }, 'unsure'],
    ['reading alone in a shared channel', {}, { permission: 'read', isShared: true }, undefined],
    ['asking in a shared channel', {}, { permission: 'ask', isShared: true }, undefined],
    ['an allowed channel', {}, only({ channels: ['C1'] }), undefined],
    ['another channel', {}, only({ channels: ['C2'] }), 'channel'],
    ['two, of which one is allowed', { channels: ['C1', 'C2'] }, only({ channels: ['C1'] }), 'channel'],
    ['no channel where there should be one', { channels: [] }, only({ channels: ['C1'] }), 'channel'],
    ['the Home tab', HOME, only({ channels: ['C1'] }), undefined],
    ['a member', {}, { isMember: true, ...group }, undefined],
    ['no member', {}, { isMember: false, ...group }, 'person'],
    ['perhaps a member', {}, group, 'unsure'],
    ['a member elsewhere', {}, { isMember: true, ...only({ ...rule, channels: ['C2'] }) }, 'channel'],
    ['a member in that channel', {}, { isMember: true, ...only({ ...rule, channels: ['C1'] }) }, undefined],
  ];
  test.for(cases)('%s', ([, changes, known, refusal]) => {
    expect(refusalOf({ ...ACTOR, ...changes }, { ...KNOWN, ...known })).toBe(refusal);
  });
});
