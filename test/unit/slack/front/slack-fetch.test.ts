import { MockAgent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { slackFetch } from '../../../../src/slack/front/slack-client.ts';

const SLACK = 'https://slack.test';

/** Slack in place of the network: it gives one answer. */
function answering(status: number, body = '{}', headers: Record<string, string | string[]> = {}) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  onTestFinished(() => agent.close());
  const pool = agent.get(SLACK);
  pool.intercept({ path: '/api/x', method: 'POST', body: 'a=1' }).reply(status, body, { headers });
  return slackFetch(agent);
}
const POST = { method: 'POST', headers: { 'content-type': 'x' }, body: 'a=1' };

test.each([
  [200, true],
  [299, true],
  [302, false],
  [503, false],
])('An answer with status %d is good: %s', async (status, ok) => {
  const answer = await answering(status)(`${SLACK}/api/x`, POST);
  expect([answer.status, answer.ok, answer.url]).toEqual([status, ok, `${SLACK}/api/x`]);
});

test('A header is found whatever its case, and one that comes twice is joined', async () => {
  const headers = { 'Retry-After': '7', 'X-OAuth-Scopes': ['chat:write', 'commands'] };
  const answer = await answering(200, '{"ok":true}', headers)(`${SLACK}/api/x`, POST);
  expect(['retry-after', 'Retry-After', 'x-none'].map((name) => answer.headers.get(name))).toEqual([
    '7',
    '7',
    null,
  ]);
  expect(answer.headers.get('x-oauth-scopes')).toBe('chat:write, commands');
  expect(await answer.json()).toEqual({ ok: true });
});

test.each([
  [200, '<html>a proxy</html>', {}, false],
  [200, '', {}, false],
  [503, '<html>a proxy</html>', {}, true],
  [429, '{}', {}, false],
  [429, '{}', { 'retry-after': 'soon' }, false],
  [429, '{}', { 'retry-after': '7' }, true],
])(
  'An answer with status %d, the text %j and the headers %j can be read: %s',
  async (status, text, headers, isReadable) => {
    const answer = answering(status, text, headers)(`${SLACK}/api/x`, POST);
    const outcome = await answer.then(
      () => true,
      ({ message }: Error) => message,
    );
    expect(outcome).toBe(isReadable || `an answer of Slack can't be read (${status})`);
  },
);

test('A call that its caller gives up ends', async () => {
  const given = new AbortController();
  given.abort();
  await expect(answering(200)(`${SLACK}/api/x`, { ...POST, signal: given.signal })).rejects.toThrow(/abort/i);
});

test('Only text is sent', async () => {
  await expect(
    answering(200)(`${SLACK}/api/x`, { ...POST, body: new URLSearchParams() as never }),
  ).rejects.toThrow('only text');
});
