import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Actor } from '../../../../src/slack/front/delivery.ts';
import { identityThrough } from '../../../../src/slack/front/slack-app.ts';
import { type Answers, actor, CLICK, judging, MEMBER } from '../../../support/judging.ts';
import { scriptedSlack } from '../../../support/scripted-slack.ts';

const MINUTE_MS = 60_000;

const PASTED: Partial<Actor> = { entryPoint: { kind: 'link', links: [] }, team: undefined };

test.each([
  ['a member', {}, {}, undefined],
  ['an app', {}, { 'users.info': { user: { ...MEMBER, is_bot: true } } }, 'outsider'],
  ['a member, between people of two companies', { channels: ['D1'], isShared: true }, {}, 'shared'],
] as const)('Who pasted a link: %s', async (_who, changes, answers, refusal) => {
  const { access } = judging({}, answers as Answers);
  expect(await access.refusalOf(actor({ ...PASTED, ...changes }), 'post')).toBe(refusal);
});

describe('Who asks', () => {
  test('is let in as a member of the workspace, and asked about once in five minutes', async () => {
    const { access, asked, clock } = judging();
    expect(await access.refusalOf(actor(), 'ask')).toBeUndefined();
    clock.now += 5 * MINUTE_MS - 1;
    expect(await access.refusalOf(actor(), 'ask')).toBeUndefined();
    expect(asked('users.info')).toBe(1);
    clock.now += 1;
    await access.refusalOf(actor(), 'ask');
    expect(asked('users.info')).toBe(2);
  });

  const [COMMAND, MENTION] = [
    { kind: 'command', responseUrl: '' },
    { kind: 'mention', text: '' },
  ] as const;

  test.each([
    [COMMAND, 'users.info', 'unsure'],
    [{ kind: 'shortcut', triggerId: '1' }, 'users.info', 'unsure'],
    [CLICK, 'users.info', undefined],
    [MENTION, 'users.info', undefined],
    [{ kind: 'submission', viewId: 'V1' }, 'users.info', undefined],
    [COMMAND, 'usergroups.users.list', 'unsure'],
    [MENTION, 'usergroups.users.list', undefined],
    [COMMAND, 'conversations.info', 'unsure'],
    [MENTION, 'conversations.info', undefined],
  ] as const)(
    'is waited for where Slack does not wait itself: %j, while it does not answer %s',
    async (entryPoint, slow, refusal) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const { access, said } = judging({ userGroups: ['S1'] });
      await access.refusalOf(actor({ user: 'U2', channels: [] }), 'read');
      access.groupChanged('S1');
      const answer = said[slow];
      const { promise, resolve } = Promise.withResolvers();
      said[slow] = promise;
      const decided = access.refusalOf(actor({ entryPoint }), 'post');
      await vi.advanceTimersByTimeAsync(9_000);
      resolve(answer);
      expect(await decided).toBe(refusal);
    },
  );

  test('is refused as long as nobody knows who the bot itself is', async () => {
    const { access, said } = judging({ guests: true }, { 'auth.test': 'internal_error' });
    expect(await access.refusalOf(actor(), 'ask')).toBe('unsure');
    said['auth.test'] = { user_id: 'U0BOT', team_id: 'T1' };
    expect(await access.refusalOf(actor(), 'ask')).toBeUndefined();
  });

  test.each([
    ['a guest of some channels', { user: { ...MEMBER, is_restricted: true } }, 'guest'],
    ['a guest of one channel', { user: { ...MEMBER, is_ultra_restricted: true } }, 'guest'],
    ['of another company', { user: { team_id: 'T2' } }, 'foreigner'],
    [
      'a colleague',
      { user: { team_id: 'T2', enterprise_user: { enterprise_id: 'E1', teams: ['T2'] } } },
      'colleague',
    ],
    [
      'a member of two workspaces',
      { user: { team_id: 'T2', enterprise_user: { enterprise_id: 'E1', teams: ['T2', 'T1'] } } },
      undefined,
    ],
    ['of others', { user: { team_id: 'T2', enterprise_user: { enterprise_id: 'E2' } } }, 'foreigner'],
    ['not told of, for want of a scope', 'missing_scope', undefined],
    ['not visible', 'user_not_visible', undefined],
    ['not found', 'user_not_found', undefined],
    ['in a channel that is not found', 'channel_not_found', undefined],
    ['not for the bot to know', 'no_permission', undefined],
    ['not to be found out now', 'internal_error', 'unsure'],
    ['described in another way', { user: {} }, 'unsure'],
  ] as const)('and is %s', async (_what, info, refusal) => {
    const { access } = judging({}, { 'users.info': info });
    expect(await access.refusalOf(actor(), 'ask')).toBe(refusal);
  });

  test('is asked about where guests may use the bot only if Slack names another workspace', async () => {
    const { access, asked } = judging({ guests: true });
    await access.refusalOf(actor(), 'ask');
    expect(asked('users.info')).toBe(0);
    await access.refusalOf(actor({ team: 'T2' }), 'ask');
    await access.refusalOf(actor({ team: undefined, user: 'U2' }), 'ask');
    expect(asked('users.info')).toBe(2);
  });
});

describe('A user group', () => {
  test('is asked for once a minute, and at once when it changes', async () => {
    const { access, said, clock, asked } = judging({ userGroups: ['S1', 'S2'] });
    expect(await access.refusalOf(actor(), 'ask')).toBeUndefined();
    said['usergroups.users.list'] = { users: [] };
    clock.now += MINUTE_MS - 1;
    expect(await access.refusalOf(actor(), 'ask')).toBeUndefined();
    expect(asked('usergroups.users.list')).toBe(2);
    clock.now += 1;
    expect(await access.refusalOf(actor(), 'ask')).toBe('person');
    said['usergroups.users.list'] = { users: ['U1'] };
    expect(await access.refusalOf(actor(), 'ask')).toBe('person');
    access.groupChanged('S1');
    expect(await access.refusalOf(actor(), 'ask')).toBeUndefined();
  });

  test('that can’t be read lets nobody in, unless another one does', async () => {
    const { access, errors } = judging({ userGroups: ['S1'] }, { 'usergroups.users.list': 'missing_scope' });
    expect(await access.refusalOf(actor(), 'ask')).toBe('unsure');
    expect(errors).toEqual(['S1']);
    const groups = judging({ userGroups: ['S1', 'S2'] });
    groups.said['usergroups.users.list'] = 'missing_scope';
    expect(await groups.access.refusalOf(actor(), 'ask')).toBe('unsure');
    groups.said['usergroups.users.list'] = { users: ['U1'] };
    groups.access.groupChanged('S2');
    expect(await groups.access.refusalOf(actor(), 'ask')).toBeUndefined();
  });
});

describe('A channel that is shared with another company', () => {
  const shared = { 'conversations.info': { channel: { is_ext_shared: true } } };

  test('shows nothing that is clicked there, and is asked about once in five minutes', async () => {
    const { access, asked, clock } = judging({}, shared);
    expect(await access.refusalOf(actor({ entryPoint: CLICK }), 'post')).toBe('shared');
    clock.now += 5 * MINUTE_MS - 1;
    await access.refusalOf(actor({ entryPoint: CLICK }), 'post');
    expect(asked('conversations.info')).toBe(1);
    clock.now += 1;
    await access.refusalOf(actor({ entryPoint: CLICK }), 'post');
    expect(asked('conversations.info')).toBe(2);
  });

  test('is asked about also where its id holds the letters of a direct message', async () => {
    const { access } = judging({}, shared);
    expect(await access.isForAll('C0SUPPORTD')).toBe(false);
  });

  test('may be one of several that a click touches', async () => {
    const { access } = judging({}, shared);
    expect(await access.refusalOf(actor({ entryPoint: CLICK, channels: ['D1', 'C2'] }), 'post')).toBe(
      'shared',
    );
  });

  test('is known by what Slack says with an event', async () => {
    const { access, asked } = judging();
    await access.refusalOf(actor({ isShared: true }), 'ask');
    expect(await access.isForAll('C1')).toBe(false);
    await access.refusalOf(actor({ isShared: false }), 'ask');
    expect(await access.isForAll('C1')).toBe(true);
    expect(asked('conversations.info')).toBe(0);
  });

  test('is allowed where the rules say so, without a question', async () => {
    const { access, asked } = judging({ sharedChannels: true }, shared);
    expect(await access.refusalOf(actor({ entryPoint: CLICK }), 'post')).toBeUndefined();
    expect(await access.isForAll('C1')).toBe(true);
    expect(asked('conversations.info')).toBe(0);
  });

  test.each([
    ['missing_scope', true],
    ['internal_error', false],
  ])('of which Slack says %s is for all: %s', async (error, expected) => {
    const { access } = judging({}, { 'conversations.info': error });
    expect(await access.isForAll('C1')).toBe(expected);
    expect(await access.refusalOf(actor({ entryPoint: CLICK }), 'post')).toBe(
      expected ? undefined : 'unsure',
    );
  });

  test.each(['D1', 'U1', 'W1'])('is none where the conversation is a direct message, %s', async (channel) => {
    const { access, asked } = judging({}, shared);
    expect(await access.isForAll(channel)).toBe(true);
    expect(asked('conversations.info')).toBe(0);
  });
});

describe('Whether somebody may still see a result', () => {
  test('is decided as for a click there', async () => {
    expect(await judging().access.mayStillSee('U1', 'C1')).toBe(true);
    expect(await judging({ channels: ['C2'] }).access.mayStillSee('U1', 'C1')).toBe(false);
    const left = judging({ userGroups: ['S1'] }, { 'usergroups.users.list': { users: [] } });
    expect(await left.access.mayStillSee('U1', 'C1')).toBe(false);
    const shared = judging({}, { 'conversations.info': { channel: { is_ext_shared: true } } });
    expect(await shared.access.mayStillSee('U1', 'C1')).toBe(false);
  });

  test.each(['D1', 'U1', 'W1'])('in a direct message, %s, does not depend on channels', async (channel) => {
    const shared = { 'conversations.info': { channel: { is_ext_shared: true } } };
    const { access } = judging({ channels: ['C2'] }, shared);
    expect(await access.mayStillSee('U1', channel)).toBe(true);
  });

  test('is said to be unknown while it can’t be found out', async () => {
    const people = judging({}, { 'users.info': 'internal_error' });
    await expect(people.access.mayStillSee('U1', 'C1')).rejects.toThrow('who may see the result');
    const identity = judging({}, { 'auth.test': 'internal_error' });
    await expect(identity.access.mayStillSee('U1', 'C1')).rejects.toThrow();
  });
});

test('The identity of the bot is asked once; a failure is not cached', async () => {
  const { said, asked, calls } = judging();
  const { client } = scriptedSlack(({ method }) => {
    calls.push({ method, args: {} });
    return said[method] ?? {};
  });
  const identity = identityThrough(client);
  said['auth.test'] = 'internal_error';
  await expect(identity()).rejects.toThrow();
  said['auth.test'] = { user_id: 'U0BOT', team_id: 'T1' };
  expect(await identity()).toEqual({ user: 'U0BOT', teams: ['T1'] });
  said['auth.test'] = { user_id: 'U0BOT', enterprise_id: 'E1' };
  expect(await identity()).toEqual({ user: 'U0BOT', teams: ['T1'] });
  expect(asked('auth.test')).toBe(2);
  const other = scriptedSlack(() => ({ user_id: 'U0BOT', enterprise_id: 'E1' }));
  expect(await identityThrough(other.client)()).toEqual({ user: 'U0BOT', teams: [], enterprise: 'E1' });
});
