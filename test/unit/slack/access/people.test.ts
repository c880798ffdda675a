import { describe, expect, test } from 'vitest';
import { peopleOf, sharedChannelsOf } from '../../../../src/slack/access/people.ts';
import { UserGroups } from '../../../../src/slack/access/user-groups.ts';
import { type ScriptedAnswer, scriptedSlack } from '../../../support/scripted-slack.ts';

/** What Slack says of everybody and every conversation. */
function asking(answer: ScriptedAnswer) {
  const { client, calls } = scriptedSlack(() => answer);
  const errors: string[] = [];
  const onError = (_error: unknown, key: string) => void errors.push(key);
  const context = { client, now: () => 1_000, onError };
  return {
    calls,
    errors,
    people: peopleOf(context),
    shared: sharedChannelsOf(context),
    groups: new UserGroups(context),
  };
}

describe('A person', () => {
  test('belongs to a workspace, and in an organisation to all of theirs', async () => {
    const alone = asking({ user: { team_id: 'T1' } });
    const member = { teams: ['T1'], enterprise: undefined, isGuest: false };
    expect(await alone.people.get('U1')).toEqual(member);
    expect(alone.calls).toEqual([{ method: 'users.info', args: { user: 'U1' } }]);
    const grid = { user: { team_id: 'T1', enterprise_user: { enterprise_id: 'E1', teams: ['T2', 'T3'] } } };
    expect(await asking(grid).people.get('U1')).toEqual({
      ...member,
      teams: ['T1', 'T2', 'T3'],
      enterprise: 'E1',
    });
    const bare = { user: { team_id: 'T1', enterprise_user: { enterprise_id: 'E1' } } };
    expect(await asking(bare).people.get('U1')).toEqual({ ...member, enterprise: 'E1' });
  });

  test.each([{ is_restricted: true }, { is_ultra_restricted: true }])('is a guest by %j', async (flags) => {
    const { people } = asking({ user: { team_id: 'T1', ...flags } });
    expect(await people.get('U1')).toMatchObject({ isGuest: true });
  });

  test.each([{}, { user: {} }, { user: { team_id: 7 } }])(
    'is unknown where Slack says %j',
    async (answer) => {
      const { people, errors } = asking(answer);
      expect([await people.get('U1'), errors]).toEqual([undefined, ['U1']]);
    },
  );
});

describe('A conversation', () => {
  test('is shared with another company where Slack says so', async () => {
    const { shared, calls } = asking({ channel: { is_ext_shared: true } });
    expect(await shared.get('C1')).toBe(true);
    expect(calls).toEqual([{ method: 'conversations.info', args: { channel: 'C1' } }]);
    expect(await asking({ channel: { is_ext_shared: false } }).shared.get('C1')).toBe(false);
    expect(await asking({ channel: {} }).shared.get('C1')).toBe(false);
  });
});

test.each(['missing_scope', 'user_not_found', 'user_not_visible', 'channel_not_found', 'no_permission'])(
  'What Slack does not tell the bot (%s) is hidden, and that is remembered',
  async (code) => {
    const { people, shared, calls, errors } = asking(code);
    expect([await people.get('U1'), await shared.get('C1')]).toEqual(['hidden', 'hidden']);
    expect([await people.get('U1'), await shared.get('C1')]).toEqual(['hidden', 'hidden']);
    expect([calls.length, errors]).toEqual([2, []]);
  },
);

test.each<ScriptedAnswer>(['internal_error', 'ratelimited', 'token_revoked', new Error('no connection')])(
  'What Slack fails to tell (%s) is unknown, and asked again',
  async (answer) => {
    const { people, shared, calls, errors } = asking(answer);
    expect([await people.get('U1'), await shared.get('C1')]).toEqual([undefined, undefined]);
    await people.get('U1');
    expect([calls.length, errors]).toEqual([3, ['U1', 'C1', 'U1']]);
  },
);

test('Each group is asked for by its own id', async () => {
  const { groups, calls } = asking({ users: ['U1'] });
  expect(await groups.includes(['S1', 'S2'], 'U2')).toBe(false);
  expect(calls.map(({ args }) => args)).toEqual([{ usergroup: 'S1' }, { usergroup: 'S2' }]);
});
