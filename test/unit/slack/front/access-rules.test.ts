import { describe, expect, test } from 'vitest';
import type { Refusal } from '../../../../src/slack/answer/notices.ts';
import { type AccessRules, type Circumstances, refusalOf } from '../../../../src/slack/front/access.ts';
import type { Actor } from '../../../../src/slack/front/delivery.ts';
import type { Person } from '../../../../src/slack/front/slack-facts.ts';

describe('the decision who may use the bot', () => {
  const OPEN: AccessRules = { channels: [], userGroups: [], guests: false, sharedChannels: false };
  const ACTOR: Actor = {
    entryPoint: { kind: 'command', responseUrl: '' },
    user: 'U1',
    team: 'T1',
    channels: ['C1'],
  };
  const MEMBER: Person = { teams: ['T1'], enterprise: 'E1', isGuest: false, isApp: false };
  const KNOWN: Circumstances = {
    rules: OPEN,
    identity: { teams: ['T1'], enterprise: 'E1' },
    person: MEMBER,
    isMember: undefined,
    isShared: false,
    isPresent: 'hidden',
    may: 'ask',
  };
  type Case = [what: string, actor: Partial<Actor>, known: Partial<Circumstances>, Refusal | undefined];
  const only = (rules: Partial<AccessRules>) => ({ rules: { ...OPEN, ...rules } });
  const group = only({ userGroups: ['S1'] });
  const cases: Case[] = [
    ['everyone of the workspace, without rules', {}, {}, undefined],
    ['somebody whom Slack names by the organization', { team: 'E1' }, { person: 'hidden' }, undefined],
    ['somebody whose company only users.info tells', { team: undefined }, {}, undefined],
    ['nobody knows which company', { team: undefined }, { person: 'hidden' }, 'outsider'],
    [
      'nobody knows which company, and Slack does not answer',
      { team: undefined },
      { person: undefined, ...only({ guests: true }) },
      'unsure',
    ],
    [
      'another company',
      { team: 'T2' },
      { person: { ...MEMBER, teams: ['T2'], enterprise: undefined } },
      'foreigner',
    ],
    [
      'a person who only claims to be of the workspace',
      {},
      { person: { ...MEMBER, teams: ['T2'], enterprise: 'E2' } },
      'foreigner',
    ],
    [
      'another company, where the bot is in no organisation',
      { team: 'T2' },
      { person: { ...MEMBER, teams: ['T2'], enterprise: undefined }, identity: { teams: ['T1'] } },
      'foreigner',
    ],
    [
      'a colleague of another workspace',
      { team: 'T3' },
      { person: { ...MEMBER, teams: ['T3'] } },
      'colleague',
    ],
    [
      'a colleague who is a member of both',
      { team: 'T3' },
      { person: { ...MEMBER, teams: ['T3', 'T1'] } },
      undefined,
    ],
    ['somebody else, where Slack does not tell more', { team: 'T2' }, { person: 'hidden' }, 'outsider'],
    ['somebody else, where Slack does not answer', { team: 'T2' }, { person: undefined }, 'outsider'],
    ['a guest', {}, { person: { ...MEMBER, isGuest: true } }, 'guest'],
    [
      'a guest, where guests may',
      {},
      { person: { ...MEMBER, isGuest: true }, ...only({ guests: true }) },
      undefined,
    ],
    ['perhaps a guest', {}, { person: undefined }, 'unsure'],
    ['perhaps a guest, where guests may', {}, { person: undefined, ...only({ guests: true }) }, undefined],
    ['somebody of whom Slack tells nothing', {}, { person: 'hidden' }, undefined],
    ['a click in a shared channel', {}, { may: 'post', isShared: true }, 'shared'],
    [
      'a click in a shared channel, where that may be',
      {},
      { may: 'post', isShared: true, ...only({ sharedChannels: true }) },
      undefined,
    ],
    ['a click in what may be a shared channel', {}, { may: 'post', isShared: undefined }, 'unsure'],
    ['a click in a channel of which Slack tells nothing', {}, { may: 'post', isShared: 'hidden' }, undefined],
    ['reading alone in a shared channel', {}, { may: 'read', isShared: true }, undefined],
    ['asking in a shared channel', {}, { may: 'ask', isShared: true }, undefined],
    ['a window of a private channel, by who left it', {}, { isPresent: false }, 'absent'],
    ['a window of a private channel, by who may have left it', {}, { isPresent: undefined }, 'unsure'],
    ['a window of a private channel, by who is in it', {}, { isPresent: true }, undefined],
    ['an allowed channel', {}, only({ channels: ['C1'] }), undefined],
    ['another channel', {}, only({ channels: ['C2'] }), 'channel'],
    [
      'two channels, of which one is allowed',
      { channels: ['C1', 'C2'] },
      only({ channels: ['C1'] }),
      'channel',
    ],
    ['no channel where there should be one', { channels: [] }, only({ channels: ['C1'] }), 'channel'],
    [
      'the Home tab',
      { channels: [], entryPoint: { kind: 'home-opened' } },
      only({ channels: ['C1'] }),
      undefined,
    ],
    ['a member', {}, { isMember: true, ...group }, undefined],
    ['no member', {}, { isMember: false, ...group }, 'person'],
    ['perhaps a member', {}, group, 'unsure'],
    [
      'a member in another channel',
      {},
      { isMember: true, ...only({ userGroups: ['S1'], channels: ['C2'] }) },
      'channel',
    ],
    [
      'a member in an allowed channel',
      {},
      { isMember: true, ...only({ userGroups: ['S1'], channels: ['C1'] }) },
      undefined,
    ],
  ];
  test.for(cases)('%s', ([, changes, known, refusal]) => {
    expect(refusalOf({ ...ACTOR, ...changes }, { ...KNOWN, ...known })).toBe(refusal);
  });
});
