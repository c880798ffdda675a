import { afterEach, expect, test } from 'vitest';
import { record } from './json.ts';
import type { SlackOptions } from './setup.ts';
import { type BareBot, startBareBot } from './testing/bare-bot.ts';

let bareBot: BareBot;
afterEach(() => bareBot.close());

async function start(options: SlackOptions = {}): Promise<void> {
  bareBot = await startBareBot(options);
}

/** The latest delivery to the bare bot, as JSON. */
function told(): Record<string, unknown> {
  const body = bareBot.received.at(-1)?.body ?? '';
  return record(JSON.parse(body.startsWith('{') ? body : (new URLSearchParams(body).get('payload') ?? '{}')));
}

async function info(user: string): Promise<unknown> {
  return (await bareBot.call('users.info', { user })).user;
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
  await bareBot.slack.mention({ text: '1', user: 'sam' });
  expect(JSON.stringify(told())).not.toContain('restricted');
});

test("in an Enterprise Grid organisation every payload names the organisation, and a colleague's other workspace", async () => {
  await start({ isGrid: true });
  expect(await bareBot.call('auth.test')).toMatchObject({ team_id: 'T0HOME', enterprise_id: 'E0GRID' });
  await bareBot.slack.mention({ text: '1', user: 'dana' });
  expect(told()).toMatchObject({
    enterprise_id: 'E0GRID',
    team_id: 'T0HOME',
    event: { user: 'U0DANA', team: 'T0SISTER', user_team: 'T0SISTER' },
  });
  const { ts } = await bareBot.call('chat.postMessage', {
    channel: 'C0SUPPORT',
    text: 'a',
    blocks: [
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'b', text: { type: 'plain_text', text: 'b' } }],
      },
    ],
  });
  const message = bareBot.slack.messages('#support').find((each) => each.ts === ts);
  if (message === undefined) throw new Error('the message is not there');
  await bareBot.slack.click({ message, actionId: 'b', user: 'dana' });
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

test('in a workspace without an organisation no payload names one', async () => {
  await start();
  expect((await bareBot.call('auth.test')).enterprise_id).toBeUndefined();
  await bareBot.slack.mention({ text: '1' });
  expect(told().enterprise_id).toBeUndefined();
  expect(bareBot.slack.users.map(({ id }) => id)).not.toContain('U0DANA');
});

test('an event says whether its channel is shared with another company', async () => {
  await start();
  for (const [channel, shared] of [
    ['partners', true],
    ['support', false],
  ] as const) {
    await bareBot.slack.mention({ text: '1', channel });
    expect(told()).toMatchObject({ is_ext_shared_channel: shared });
    const { is_ext_shared } = record(told().event);
    expect(is_ext_shared).toBeUndefined();
  }
  expect(await bareBot.call('conversations.info', { channel: 'C0PARTNERS' })).toMatchObject({
    channel: { is_ext_shared: true },
  });
});

test('a direct message with a file has the subtype file_share, and one without has none', async () => {
  await start();
  const files = [{ id: 'F1', name: 'log.txt' }];
  await bareBot.slack.say({ text: '1001', channel: '@ana', extras: { files } });
  expect(told()).toMatchObject({ event: { type: 'message', subtype: 'file_share', text: '1001', files } });
  await bareBot.slack.say({ text: '1001', channel: '@ana' });
  expect(record(told().event).subtype).toBeUndefined();
});

test('an app that may read user groups is told who joins one and who leaves it', async () => {
  await start();
  await bareBot.slack.setUserGroup('S0ONCALL', ['ben']);
  expect(told()).toMatchObject({
    event: {
      type: 'subteam_members_changed',
      subteam_id: 'S0ONCALL',
      added_users: ['U0BEN'],
      removed_users: ['U0ANA'],
    },
  });
  expect(await bareBot.call('usergroups.users.list', { usergroup: 'S0ONCALL' })).toMatchObject({
    users: ['U0BEN'],
  });
});

test('an app that may not read user groups is told nothing of them', async () => {
  await start({ scopes: ['commands'] });
  expect(await bareBot.slack.setUserGroup('S0ONCALL', [])).toBeUndefined();
  expect(bareBot.received).toEqual([]);
});

test('an app that is removed is told so, and all its calls are refused', async () => {
  await start();
  const deliveries = await bareBot.slack.uninstall();
  expect(deliveries.map(({ payload }) => record(payload.event).type)).toEqual([
    'tokens_revoked',
    'app_uninstalled',
  ]);
  expect(deliveries.every(({ acknowledged }) => acknowledged)).toBe(true);
  expect(await bareBot.call('chat.postMessage', { channel: 'C0SUPPORT', text: 'a' })).toMatchObject({
    error: 'account_inactive',
  });
  expect(bareBot.slack.records.breaches).toEqual([]);
});
