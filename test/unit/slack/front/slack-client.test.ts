import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { isOfSlack, isRefused } from '../../../../src/slack/delivery/slack-errors.ts';
import { MessageClient } from '../../../../src/slack/front/slack-client.ts';

type Sent = Parameters<webApi.FetchFunction>;

function messaging(answer: () => Response) {
  const sent: Sent[] = [];
  const client = new MessageClient('xoxb-test', {
    slackApiUrl: 'https://slack.test/api/',
    timeout: 10_000,
    logLevel: webApi.LogLevel.ERROR,
    userAgent: 'snapshot-bot/test',
    fetch: async (...call) => {
      sent.push(call);
      return answer();
    },
  });
  return { client, sent, post: () => client.chat.postMessage({ channel: 'C1', text: 'ä & b' }) };
}

const answering = (body: object, init?: ResponseInit) => () => new Response(JSON.stringify(body), init);
const failed = (post: () => Promise<unknown>) => post().catch((error: unknown) => error);

test('A message is sent as JSON, with the token in its header alone, and Slack’s answer comes back', async () => {
  const { post, sent } = messaging(answering({ ok: true, channel: 'C1', ts: '1.1' }));
  expect(await post()).toEqual({ ok: true, channel: 'C1', ts: '1.1' });
  const [url, { method, headers, body } = {}] = sent[0] ?? [''];
  expect([url, method]).toEqual(['https://slack.test/api/chat.postMessage', 'POST']);
  expect(headers).toEqual({
    authorization: 'Bearer xoxb-test',
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'snapshot-bot/test',
  });
  expect(JSON.parse(String(body))).toEqual({ channel: 'C1', text: 'ä & b' });
});

test('Of an answer that holds the message again only where it stands is read', async () => {
  const echo = { ok: true, channel: 'C1', ts: '1.1', message: { text: 'ä & b', blocks: [] } };
  expect(await messaging(answering(echo)).post()).toEqual({ ok: true, channel: 'C1', ts: '1.1' });
  const otherwise = { channel: 'C1', ok: true, ts: '1.1' };
  expect(await messaging(answering(otherwise)).post()).toEqual(otherwise);
});

test('An edit is sent in the same way', async () => {
  const { client, sent } = messaging(answering({ ok: true, channel: 'C1', ts: '1.1' }));
  await client.chat.update({ channel: 'C1', ts: '1.1', text: 'ä & b' });
  expect(sent[0]?.[0]).toBe('https://slack.test/api/chat.update');
  expect(sent[0]?.[1]?.body).toBe('{"channel":"C1","ts":"1.1","text":"ä & b"}');
});

test('A message that Slack does not answer in time is given up', async () => {
  const client = new MessageClient('xoxb-test', {
    slackApiUrl: 'https://slack.test/api/',
    timeout: 1,
    userAgent: 'snapshot-bot/test',
    fetch: (_url, init) => {
      const { promise, reject } = Promise.withResolvers<never>();
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      return promise;
    },
  });
  const late = await failed(() => client.chat.postMessage({ channel: 'C1', text: 'ä & b' }));
  expect(late).toBeInstanceOf(webApi.WebAPIRequestError);
  expect(late).toMatchObject({ original: { name: 'TimeoutError' } });
});

test('Other methods take no JSON: they are sent as forms', async () => {
  const { client, sent } = messaging(answering({ ok: true }));
  await client.users.info({ user: 'U1' });
  expect(sent[0]?.[1]?.body).toBe('user=U1');
});

test('Other methods are not tried again either, and a limit is told at once', async () => {
  const limit = { status: 429, headers: { 'retry-after': '7' } };
  const limited = messaging(answering({ ok: false }, limit));
  const error = await failed(() => limited.client.users.info({ user: 'U1' }));
  expect(error).toBeInstanceOf(webApi.WebAPIRateLimitedError);
  const broken = messaging(answering({}, { status: 503 }));
  expect(await failed(() => broken.client.users.info({ user: 'U1' }))).toBeInstanceOf(webApi.WebAPIHTTPError);
  expect([limited.sent.length, broken.sent.length]).toEqual([1, 1]);
});

test('A refusal is told by its code, a limit by its seconds, and any other status by itself', async () => {
  const refused = await failed(messaging(answering({ ok: false, error: 'not_in_channel' })).post);
  expect(refused).toBeInstanceOf(webApi.WebAPIPlatformError);
  expect(refused).toMatchObject({ data: { error: 'not_in_channel' } });
  const silent = await failed(messaging(answering({ ok: false })).post);
  expect(silent).toMatchObject({ data: { error: '' } });
  const vain = await failed(messaging(answering({ channel: 'C1', ts: '1.1' })).post);
  expect(vain).toBeInstanceOf(webApi.WebAPIPlatformError);
  const limit = { status: 429, headers: { 'retry-after': '7' } };
  const limited = await failed(messaging(answering({ ok: false }, limit)).post);
  expect(limited).toBeInstanceOf(webApi.WebAPIRateLimitedError);
  expect(limited).toMatchObject({ retryAfter: 7 });
  const vague = await failed(messaging(answering({ ok: false }, { status: 429 })).post);
  expect(String(vague)).toContain('does not say for how long');
  const broken = await failed(messaging(answering({}, { status: 503 })).post);
  expect(broken).toBeInstanceOf(webApi.WebAPIHTTPError);
  expect(broken).toMatchObject({ statusCode: 503, body: {} });
  const odd = await failed(messaging(answering({ ok: true }, { status: 201 })).post);
  expect(odd).toBeInstanceOf(webApi.WebAPIHTTPError);
});

test('What never reached Slack is told with its cause', async () => {
  const cause = new TypeError('fetch failed');
  const lost = await failed(
    messaging(() => {
      throw cause;
    }).post,
  );
  expect(lost).toBeInstanceOf(webApi.WebAPIRequestError);
  expect(lost).toMatchObject({ original: cause });
});

test.each([
  ['is no JSON', () => new Response('<html>')],
  [
    'ends too early',
    () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('cut off')) })),
  ],
  ['limits calls without an end', () => new Response('{}', { status: 429 })],
])(
  'An answer that %s is a failure of Slack, of which nobody knows what became of the message',
  async (_what, answer) => {
    const error = await failed(messaging(answer).post);
    expect(error).toBeInstanceOf(webApi.WebAPIRequestError);
    expect([isOfSlack(error), isRefused(error)]).toEqual([true, false]);
  },
);
