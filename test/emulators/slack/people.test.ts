import { afterEach, expect, test } from 'vitest';
import { record } from './json.ts';
import type { SlackOptions } from './slack.ts';
import { type Bench, startBench } from './testing/bare-bot.ts';

let bench: Bench;
afterEach(() => bench.close());

async function start(options: SlackOptions = {}): Promise<void> {
  bench = await startBench(options);
}

/** What the bare bot was told last, as JSON. */
function told(): Record<string, unknown> {
  const body = bench.received.at(-1)?.body ?? '';
  return record(JSON.parse(body.startsWith('{') ? body : (new URLSearchParams(body).get('payload') ?? '{}')));
}

async function info(user: string): Promise<unknown> {
  return (await bench.call('users.info', { user })).user;
}

test.each([
  ['U0ANA', { is_restricted: false, is_ultra_restricted: false }],
  ['U0MIA', { is_restricted: true, is_ultra_restricted: false }],
  ['U0SAM', { is_restricted: true, is_ultra_restricted: true }],
  ['U0GUEST', { is_restricted: false, is_stranger: true, team_id: 'T0OTHER' }],
])(
  'users.info tells guests of the workspace and people of other companies apart: %s',
  async (user, facts) => {
    await start();
    expect(await info(user)).toMatchObject(facts);
  },
);

test('payloads do not say who is a guest', async () => {
  await start();
  await bench.slack.mention({ text: '1', user: 'sam' });
  expect(JSON.stringify(told())).not.toContain('restricted');
});

test('in an Enterprise Grid organisation everything says which, and a colleague is of another workspace', async () => {
  await start({ isGrid: true });
  expect(await bench.call('auth.test')).toMatchObject({ team_id: 'T0HOME', enterprise_id: 'E0GRID' });
  await bench.slack.mention({ text: '1', user: 'dana' });
  expect(told()).toMatchObject({
    enterprise_id: 'E0GRID',
    team_id: 'T0HOME',
    event: { user: 'U0DANA', team: 'T0SISTER', user_team: 'T0SISTER' },
  });
  const { ts } = await bench.call('chat.postMessage', {
    channel: 'C0SUPPORT',
    text: 'a',
    blocks: [
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'b', text: { type: 'plain_text', text: 'b' } }],
      },
    ],
  });
  const message = bench.slack.messages('#support').find((each) => each.ts === ts);
  if (message === undefined) throw new Error('the message is not there');
  await bench.slack.click({ message, actionId: 'b', user: 'dana' });
  expect(told()).toMatchObject({
    enterprise: { id: 'E0GRID' },
    team: { id: 'T0SISTER', enterprise_id: 'E0GRID' },
    user: { team_id: 'T0SISTER' },
  });
  expect(await info('U0DANA')).toMatchObject({
    team_id: 'T0SISTER',
    enterprise_user: { enterprise_id: 'E0GRID' },
  });
  expect(record(await info('U0GUEST')).enterprise_user).toBeUndefined();
});

test('elsewhere there is no organisation', async () => {
  await start();
  expect((await bench.call('auth.test')).enterprise_id).toBeUndefined();
  await bench.slack.mention({ text: '1' });
  expect(told().enterprise_id).toBeUndefined();
  expect(bench.slack.users.map(({ id }) => id)).not.toContain('U0DANA');
});

test('an event says whether its channel is shared with another company', async () => {
  await start();
  for (const [channel, shared] of [
    ['partners', true],
    ['support', false],
  ] as const) {
    await bench.slack.mention({ text: '1', channel });
    expect(told()).toMatchObject({ is_ext_shared_channel: shared });
    const { is_ext_shared } = record(told().event);
    expect(is_ext_shared).toBeUndefined();
  }
  expect(await bench.call('conversations.info', { channel: 'C0PARTNERS' })).toMatchObject({
    channel: { is_ext_shared: true },
  });
});

test('a direct message with a file is a file_share, and one without is none', async () => {
  await start();
  const files = [{ id: 'F1', name: 'log.txt' }];
  await bench.slack.say({ text: '1001', channel: '@ana', extras: { files } });
  expect(told()).toMatchObject({ event: { type: 'message', subtype: 'file_share', text: '1001', files } });
  await bench.slack.say({ text: '1001', channel: '@ana' });
  expect(record(told().event).subtype).toBeUndefined();
});

test('who comes into a user group and who goes is told to an app that may read groups', async () => {
  await start();
  await bench.slack.setUserGroup('S0ONCALL', ['ben']);
  expect(told()).toMatchObject({
    event: {
      type: 'subteam_members_changed',
      subteam_id: 'S0ONCALL',
      added_users: ['U0BEN'],
      removed_users: ['U0ANA'],
    },
  });
  expect(await bench.call('usergroups.users.list', { usergroup: 'S0ONCALL' })).toMatchObject({
    users: ['U0BEN'],
  });
});

test('an app without that scope is told nothing of groups', async () => {
  await start({ scopes: ['commands'] });
  expect(await bench.slack.setUserGroup('S0ONCALL', [])).toBeUndefined();
  expect(bench.received).toEqual([]);
});

test('an app that is removed is told so, and may do nothing any more', async () => {
  await start();
  const deliveries = await bench.slack.uninstall();
  expect(deliveries.map(({ payload }) => record(payload.event).type)).toEqual([
    'tokens_revoked',
    'app_uninstalled',
  ]);
  expect(deliveries.every(({ acknowledged }) => acknowledged)).toBe(true);
  expect(await bench.call('chat.postMessage', { channel: 'C0SUPPORT', text: 'a' })).toMatchObject({
    error: 'account_inactive',
  });
  expect(bench.slack.records.breaches).toEqual([]);
});
