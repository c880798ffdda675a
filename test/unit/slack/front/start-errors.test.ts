import { expect, test } from 'vitest';
import { SlackUnreachable, TokenRejected, withToken } from '../../../../src/slack/front/slack-client.ts';
import { type ScriptedAnswer, scriptedSlack } from '../../../support/scripted-slack.ts';

/** What the start is told when Slack answers so. */
async function told(answer: ScriptedAnswer): Promise<unknown> {
  const { client } = scriptedSlack(() => answer);
  return withToken('SLACK_BOT_TOKEN', () => client.auth.test()).catch((error: unknown) => error);
}

test('A token that Slack accepts causes no error', async () => {
  expect(await told({ user_id: 'U0BOT' })).toMatchObject({ ok: true, user_id: 'U0BOT' });
});

test('A token that Slack refuses is named with Slack’s word for why', async () => {
  const error = await told('invalid_auth');
  expect(error).toBeInstanceOf(TokenRejected);
  expect(error).toMatchObject({
    setting: 'SLACK_BOT_TOKEN',
    code: 'invalid_auth',
    what: 'Slack rejects this token (invalid_auth)',
  });
});

const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
test.each<[string, ScriptedAnswer, string]>([
  ['an HTTP error', new Response('', { status: 503 }), 'HTTP 503'],
  ['a rate limit', new Response('', { status: 429, headers: { 'retry-after': '5' } }), 'HTTP 429'],
  ['a failure of Slack itself', 'internal_error', 'internal_error'],
  ['a migration of the workspace', 'team_added_to_org', 'team_added_to_org'],
  ['no connection', Object.assign(new TypeError('fetch failed'), { cause: refused }), 'ECONNREFUSED'],
])('%s is said to be that, with a short reason', async (_what, answer, reason) => {
  const error = await told(answer);
  expect(error).toBeInstanceOf(SlackUnreachable);
  expect(error).toMatchObject({ setting: 'SLACK_API_URL', what: `Slack could not be reached (${reason})` });
});

test('What is no answer of Slack is thrown as it is', async () => {
  const bug = new TypeError('a bug');
  await expect(withToken('SLACK_APP_TOKEN', () => Promise.reject(bug))).rejects.toBe(bug);
});
