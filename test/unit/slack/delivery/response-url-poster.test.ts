import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, MockAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { ResponseUrlPoster } from '../../../../src/slack/delivery/response-url-poster.ts';
import { ResponseUrlFailed } from '../../../../src/slack/delivery/slack-errors.ts';

const ORIGIN = 'https://hooks.slack.test';
const RESPONSE = { url: `${ORIGIN}/1`, expiresAt: 9e15, replaces: false };
const MESSAGE = { text: 'A text', blocks: [] };

type Answer = readonly [status: number, body: string];

/** A response URL that answers so, one after the other; what was sent to it. */
function posting(...answers: Answer[]) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const sent: Record<string, unknown>[] = [];
  const types: unknown[] = [];
  for (const [status, body] of answers) {
    agent
      .get(ORIGIN)
      .intercept({ path: '/1', method: 'POST' })
      .reply(status, ({ body: text, headers }) => {
        sent.push(JSON.parse(String(text)));
        types.push(new Headers(headers as Record<string, string>).get('content-type'));
        return body;
      });
  }
  const checked: string[] = [];
  const poster = new ResponseUrlPoster(agent, (url) => void checked.push(String(url)));
  return { poster, sent, types, checked };
}

const OK: Answer = [200, 'ok'];
const refusal = (error: string): Answer => [200, JSON.stringify({ ok: false, error })];

describe('A post through a response URL', () => {
  test('is for one person, beside the clicked message, and counts its uses', async () => {
    const { poster, sent, types, checked } = posting(OK, OK);
    const used = await poster.post(RESPONSE, MESSAGE);
    expect(used).toEqual({ ...RESPONSE, uses: 1, isInUse: true });
    expect(await poster.post({ ...RESPONSE, uses: 3 }, MESSAGE, '1.1')).toMatchObject({ uses: 4 });
    const inert = { parse: 'none', link_names: false, unfurl_links: false };
    const first = { ...MESSAGE, ...inert, response_type: 'ephemeral', replace_original: false };
    expect(sent).toEqual([first, { ...first, thread_ts: '1.1' }]);
    expect(Object.keys(sent[0] ?? {})).not.toContain('thread_ts');
    expect(checked).toEqual([RESPONSE.url, RESPONSE.url]);
    expect(types).toEqual(Array(2).fill('application/json; charset=utf-8'));
  });

  test('replaces the clicked message where the URL is for that', async () => {
    const { poster, sent } = posting(OK);
    await poster.post({ ...RESPONSE, replaces: true }, MESSAGE, '1.1');
    expect(sent[0]).toMatchObject({ replace_original: true });
    expect(sent[0]).not.toHaveProperty('response_type');
    expect(sent[0]).not.toHaveProperty('thread_ts');
  });

  test('is for everybody where it shows a result', async () => {
    const { poster, sent } = posting(OK);
    expect(await poster.show(RESPONSE.url, MESSAGE, '1.1')).toBe(true);
    expect(sent[0]).toMatchObject({ response_type: 'in_channel', thread_ts: '1.1' });
  });

  test.each([429, 500, 503])('that Slack fails to answer (%i) may be made again', async (status) => {
    const { poster, sent } = posting([status, ''], OK);
    await expect(poster.post(RESPONSE, MESSAGE)).rejects.toThrow(ResponseUrlFailed);
    expect(sent).toHaveLength(1);
  });

  test('that Slack takes while this process stands still is not made again', async ({ onTestFinished }) => {
    const server = createServer((_request, response) => {
      response.end('ok');
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new Agent();
    onTestFinished(async () => {
      await agent.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const poster = new ResponseUrlPoster(agent, () => {}, 1_000);
    const url = `http://127.0.0.1:${port}/1`;
    expect(await poster.post({ ...RESPONSE, url }, MESSAGE)).toMatchObject({ uses: 1 });
  });

  test('that Slack does not answer in time may be made again', async () => {
    const agent = new MockAgent();
    agent.get(ORIGIN).intercept({ path: '/1', method: 'POST' }).reply(200, 'ok').delay(2_000);
    await expect(new ResponseUrlPoster(agent, () => {}, 20).post(RESPONSE, MESSAGE)).rejects.toThrow(
      ResponseUrlFailed,
    );
  });

  test('that does not reach Slack is no bug, and may be made again', async () => {
    const { poster } = posting();
    const failing = poster.post(RESPONSE, MESSAGE).catch((error: unknown) => error);
    expect(await failing).toBeInstanceOf(ResponseUrlFailed);
    expect(await failing).toHaveProperty('cause');
    await expect(poster.tell({ responseUrl: RESPONSE.url }, MESSAGE)).rejects.toThrow(ResponseUrlFailed);
  });

  test.each<Answer>([
    [403, ''],
    [404, 'used_url'],
    [410, ''],
    ...['used_url', 'expired_url', 'no_service', 'channel_not_found', 'is_archived'].map(refusal),
  ])('finds the URL used up or the conversation closed: %i %s', async (...answer) => {
    const { poster, sent } = posting(answer);
    expect(await poster.post(RESPONSE, MESSAGE)).toBeUndefined();
    expect(sent).toHaveLength(1);
    expect(await posting(answer).poster.show(RESPONSE.url, MESSAGE)).toBe(false);
  });

  test.each<Answer>([refusal('invalid_blocks'), [400, 'invalid_blocks'], [300, ''], [200, '{"ok":false}']])(
    'that is refused for what it says (%i %s) is made with the text alone, and that is a second use',
    async (...answer) => {
      const { poster, sent } = posting(answer, OK);
      expect(await poster.post(RESPONSE, MESSAGE)).toMatchObject({ uses: 2 });
      expect(sent.map((each) => 'blocks' in each)).toEqual([true, false]);
      expect(await posting(answer, answer).poster.post(RESPONSE, MESSAGE)).toBeUndefined();
    },
  );

  test.each(['{"ok":true}', '{not JSON', 'ok', '{}', 'null'])(
    'is taken where Slack says %j',
    async (body) => {
      expect(await posting([200, body]).poster.post(RESPONSE, MESSAGE)).toMatchObject({ uses: 1 });
    },
  );
});

test('A notice is for who clicked, beside the message, and in its thread if that has replies', async () => {
  const { poster, sent } = posting(OK, OK, [404, 'used_url']);
  await poster.tell({ responseUrl: RESPONSE.url }, { text: 'A notice' });
  await poster.tell({ responseUrl: RESPONSE.url, threadTs: '0.5' }, MESSAGE);
  const notice = { parse: 'none', link_names: false, unfurl_links: false, response_type: 'ephemeral' };
  expect(sent).toEqual([
    { ...notice, text: 'A notice', replace_original: false },
    { ...notice, ...MESSAGE, replace_original: false, thread_ts: '0.5' },
  ]);
  await poster.tell({ responseUrl: RESPONSE.url }, MESSAGE);
});

test('A text is cut to the bytes that Slack takes', async () => {
  const { poster, sent } = posting(OK);
  await poster.post(RESPONSE, { ...MESSAGE, text: 'ä'.repeat(3_000) });
  expect(Buffer.byteLength(String(sent[0]?.text))).toBe(3_899);
});

test('The clicked message is removed through its URL', async () => {
  const { poster, sent } = posting(OK);
  await poster.remove(RESPONSE.url);
  expect(sent).toEqual([{ delete_original: true }]);
});
