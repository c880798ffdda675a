import { describe, expect, test } from 'vitest';
import { asking, listening, NOW, PRIVATE } from '../../../../support/listening.ts';

const ADMIN = { changes: { admins: ['U1'] } };
const STATUS = /napshot status/;

type Here = ReturnType<typeof listening>;
const direct = (here: Here, text: string, more: object = {}) =>
  here.happens('message', { channel_type: 'im', channel: 'D1', user: 'U1', ts: '4.4', text, ...more });
const choose = (here: Here, form: string, command = '/snapshot') =>
  here.click('choose-0', { value: JSON.stringify({ form, command }), container: PRIVATE });

describe('An admin', () => {
  test('is told of the status by the help of a command, and in no other place', async () => {
    const [commanded, written, chosen] = [ADMIN, ADMIN, ADMIN].map((options) => listening(asking, options));
    await commanded?.command('help');
    expect(JSON.stringify(commanded?.of('ack'))).toMatch(STATUS);
    if (written) await direct(written, 'help');
    if (chosen) await choose(chosen, 'help', '@Snapshot');
    const said = JSON.stringify([written?.calls, chosen?.of('post')]);
    expect(said).toContain('@Snapshot 26808463');
    expect(said).not.toMatch(STATUS);
  });
});

test('A choice can ask for the status, as the command that it corrects', async () => {
  const here = listening(asking);
  await choose(here, 'status');
  expect(JSON.stringify(here.of('post'))).toContain('Only the admins of this bot can see its status');
});

test('Who may not watch a snapshot is told why, and nothing is looked up; else the whole of it is', async () => {
  const watching = { refusal: async () => 'No more than fifty.' };
  const refused = listening(asking, { changes: { watching } });
  await refused.command('watch 26808463');
  expect(refused.done).toEqual([['ack', expect.objectContaining({ text: 'No more than fifty.' })]]);
  const here = listening(asking);
  await here.command('watch 26808463');
  const question = { snapshotId: '26808463', set: 'all' };
  expect(here.of('accept')).toMatchObject([[{ question, watch: true }]]);
});

describe('A direct message', () => {
  test.each([
    ['1234x', '“1234x” is not a snapshot id.'],
    ['123x', 'Send me a snapshot id'],
    ['are you free at 1230?', 'Send me a snapshot id'],
  ])('%s that is no request is a mistyped id, or chat', async (text, words) => {
    const here = listening(asking);
    await direct(here, text, { thread_ts: '1.1' });
    expect(here.calls.map(({ method }) => method)).toEqual(['chat.postMessage']);
    const inert = { parse: 'none', link_names: 'false' };
    expect(here.calls[0]?.args).toMatchObject({ channel: 'D1', thread_ts: '1.1', ...inert });
    expect(here.calls[0]?.args.text).toContain(words);
  });

  test.each([
    ['is edited', { edited: { user: 'U1', ts: '1' } }, 0, 1],
    ['is edited after an hour', { edited: { user: 'U1', ts: '1' } }, 3_600_000, 0],
    ['is only shown with more of a link', {}, 0, 0],
  ])('that %s asks by its new text, or for nothing', async (_what, edited, age, count) => {
    const here = listening(asking);
    const message = { user: 'U1', text: '26808463', ts: String((NOW - age) / 1_000), ...edited };
    await direct(here, '', { subtype: 'message_changed', message });
    expect(here.of('accept')).toHaveLength(count);
  });
});

test('Help for a mention in a thread is said in that thread', async () => {
  const here = listening(asking);
  const mention = { channel: 'C1', user: 'U1', ts: '4.4', thread_ts: '1.1', text: '<@U0BOT> help' };
  await here.happens('app_mention', mention);
  expect(here.calls).toMatchObject([
    { method: 'chat.postEphemeral', args: { channel: 'C1', thread_ts: '1.1' } },
  ]);
});

test('Everything is erased when the token of the bot is revoked, and not for those of people', async () => {
  const here = listening(asking);
  await here.happens('tokens_revoked', { tokens: { oauth: ['U1'] } });
  await here.happens('tokens_revoked', { tokens: { bot: [] } });
  expect(here.done).toEqual([]);
  await here.happens('tokens_revoked', { tokens: { bot: ['U0BOT'] } });
  expect(here.done).toEqual([['erased']]);
});

test('The members of a user group are read again once Slack says that they are others', async () => {
  const here = listening(asking);
  await here.happens('subteam_members_changed', { subteam_id: 'S1' });
  expect(here.done).toEqual([['group changed', 'S1']]);
});
