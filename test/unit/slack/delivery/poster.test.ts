import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Message } from '../../../../src/slack/blocks/blocks.ts';
import { Poster } from '../../../../src/slack/delivery/poster.ts';
import { Congested } from '../../../../src/slack/delivery/rate-limited-queue.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from '../../../support/scripted-slack.ts';

const BLOCKS: Message['blocks'] = [{ type: 'divider' }];
const MESSAGE: Message = { text: 'A text', blocks: BLOCKS };
const INERT = { parse: 'none', link_names: 'false' };

function posting(answer: (call: ScriptedCall) => ScriptedAnswer = () => ({ channel: 'C1', ts: '1.1' })) {
  const slack = scriptedSlack(answer);
  const refused: unknown[] = [];
  const poster = new Poster(slack.client, (error) => void refused.push(error));
  return { ...slack, poster, refused };
}

/** Refuses the first messages for these reasons, one after the other. */
function refusing(...codes: string[]) {
  return posting(() => codes.shift() ?? { channel: 'C1', ts: '1.1' });
}

test('A post is inert, shows no previews, and carries the id of its lookup and its thread', async () => {
  const { poster, calls } = posting();
  const findable = { id: 'one', save: async () => {} };
  expect(await poster.post({ channel: 'C1', threadTs: '0.5' }, MESSAGE, 'final', findable)).toEqual({
    channel: 'C1',
    ts: '1.1',
  });
  await poster.post({ channel: 'C1' }, MESSAGE, 'final');
  const plain = { channel: 'C1', text: 'A text', blocks: BLOCKS, ...INERT, mrkdwn: 'true' };
  const quiet = { ...plain, unfurl_links: 'false', unfurl_media: 'false' };
  const metadata = { event_type: 'snapshot_lookup', event_payload: { lookup: 'one' } };
  expect(calls).toEqual([
    { method: 'chat.postMessage', args: { ...quiet, thread_ts: '0.5', metadata } },
    { method: 'chat.postMessage', args: quiet },
  ]);
});

test('That a post may be there is stored right before it is sent, and not for progress that is dropped', async () => {
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  const { poster } = posting(async () => {
    posts += 1;
    if (posts === 4) arrived.resolve();
    await gate.promise;
    return { channel: 'C1', ts: '1.1' };
  });
  const saved: string[] = [];
  const post = (id: string) => {
    const save = async () => void saved.push(id);
    return poster.post({ channel: 'C1' }, MESSAGE, 'progress', { id, save });
  };
  const sent = Array.from({ length: 4 }, (_, index) => post(`sent ${index}`));
  await arrived.promise;
  const queued = Array.from({ length: 20 }, (_, index) => post(`queued ${index}`));
  await expect(post('dropped')).rejects.toBeInstanceOf(Congested);
  expect(saved).toEqual(['sent 0', 'sent 1', 'sent 2', 'sent 3']);
  gate.resolve();
  await Promise.all([...sent, ...queued]);
  expect(saved).toHaveLength(24);
  expect(saved).not.toContain('dropped');
});

test.for([
  ['edit', (poster: Poster, id: string) => poster.edit({ channel: 'C1', ts: id }, MESSAGE, 'final')],
  [
    'post',
    (poster: Poster, id: string) =>
      poster.post({ channel: 'C1' }, { ...MESSAGE, text: id }, 'final', { id, save: async () => {} }),
  ],
] as const)(
  'A final %s that failed keeps its place before the crowd when it is tried again',
  async ([, send]) => {
    const order: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    const { poster } = posting(async ({ args }) => {
      const id = String(args.ts ?? args.text);
      order.push(id);
      if (id === 'first') return order.length === 1 ? 'internal_error' : { channel: 'C1', ts: '1.1' };
      await gate.promise;
      return { channel: 'C1', ts: '1.1' };
    });
    const failed = send(poster, 'first').catch(() => 'failed');
    const crowd = Array.from({ length: 20 }, (_, index) => send(poster, `other ${index}`));
    expect(await failed).toBe('failed');
    const again = send(poster, 'first');
    gate.resolve();
    await Promise.all([again, ...crowd]);
    expect(order.slice(1).indexOf('first')).toBeLessThan(6);
  },
);

test('A post of which that can’t be stored is not sent', async () => {
  const { poster, calls } = posting();
  const save = () => Promise.reject(new Error('the store is away'));
  const post = poster.post({ channel: 'C1' }, MESSAGE, 'final', { id: 'one', save });
  await expect(post).rejects.toThrow('the store is away');
  expect(calls).toEqual([]);
});

test('A post to a person is where Slack says that it is', async () => {
  const { poster } = posting(() => ({ channel: 'D1', ts: '1.1' }));
  expect(await poster.post({ channel: 'U1' }, MESSAGE, 'final')).toEqual({ channel: 'D1', ts: '1.1' });
  const nowhere = posting(() => ({}));
  expect(await nowhere.poster.post({ channel: 'C1' }, MESSAGE, 'final')).toEqual({ channel: 'C1', ts: '' });
});

test('An edit is inert and changes only what the message says', async () => {
  const { poster, calls } = posting();
  await poster.edit({ channel: 'C1', ts: '1.1' }, MESSAGE, 'progress');
  const args = { channel: 'C1', ts: '1.1', text: 'A text', blocks: BLOCKS, ...INERT };
  expect(calls).toEqual([{ method: 'chat.update', args }]);
});

test.each(['chat.postMessage', 'chat.update', 'conversations.history'])(
  'A limit on %s in one conversation stops that, and nothing else',
  async (limited) => {
    const limit = () => new Response('{}', { status: 429, headers: { 'retry-after': '60' } });
    const { poster, methods } = posting(({ method, args }) =>
      method === limited && args.channel === 'C1' ? limit() : { ts: '1.1', messages: [] },
    );
    const stopped = [expect.any(Congested)];
    const tries = async () => {
      const tried = await Promise.allSettled([
        poster.post({ channel: 'C1' }, MESSAGE, 'progress'),
        poster.edit({ channel: 'C1', ts: '1.1' }, MESSAGE, 'progress'),
        poster.find({ channel: 'C1' }, 'one', { at: 1_000_000 }, 'progress'),
        poster.post({ channel: 'C2' }, MESSAGE, 'progress'),
      ]);
      return tried.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    };
    expect([await tries(), await tries()]).toEqual([stopped, stopped]);
    // What is stopped is not sent again; everything else is.
    expect(methods()).toHaveLength(4 + 3);
  },
);

describe('A message that Slack refuses for what it holds', () => {
  const long: Message = { text: 'ä'.repeat(3_000), blocks: BLOCKS };
  const sent = ({ calls }: { calls: ScriptedCall[] }) =>
    calls.map(
      ({ args }) => `${Buffer.byteLength(String(args.text))}${args.blocks === undefined ? '' : ' blocks'}`,
    );

  test('for its blocks is sent without them, and told', async () => {
    const posted = refusing('invalid_blocks');
    await posted.poster.post({ channel: 'C1' }, long, 'final');
    expect(sent(posted)).toEqual(['3899 blocks', '3899']);
    expect(posted.refused).toHaveLength(1);
  });

  test('for its length is sent with less text, then without blocks, and no shorter', async () => {
    const posted = refusing('msg_too_long', 'msg_too_long', 'msg_too_long');
    const edit = posted.poster.edit({ channel: 'C1', ts: '1.1' }, long, 'final');
    await expect(edit).rejects.toThrow('msg_too_long');
    expect(sent(posted)).toEqual(['3899 blocks', '599 blocks', '599']);
    expect(posted.refused).toHaveLength(2);
  });

  test('for its blocks and then for its length is sent with less of both', async () => {
    const posted = refusing('invalid_blocks', 'msg_too_long');
    await posted.poster.edit({ channel: 'C1', ts: '1.1' }, long, 'final');
    expect(sent(posted)).toEqual(['3899 blocks', '3899', '599']);
  });

  test('is told apart from one that Slack does not take there at all', async () => {
    const posted = refusing('channel_not_found');
    await expect(posted.poster.post({ channel: 'C1' }, long, 'final')).rejects.toThrow('channel_not_found');
    expect([posted.calls.length, posted.refused]).toEqual([1, []]);
  });
});

test.each([
  ['does not answer in time', new DOMException('too late', 'TimeoutError'), 10_000],
  ['breaks the connection', new Error('reset'), 0],
  ['refuses', 'is_archived', 0],
])('Whoever sends something that Slack %s is told so once it can come no more', async (_how, answer, ms) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { poster } = posting(() => answer);
  const failed: string[] = [];
  const sent = [
    poster.post({ channel: 'C1' }, MESSAGE, 'final').catch(() => failed.push('post')),
    poster.edit({ channel: 'C1', ts: '1.1' }, MESSAGE, 'final').catch(() => failed.push('edit')),
  ];
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(Math.max(0, ms - 1));
  expect(failed).toHaveLength(ms === 0 ? 2 : 0);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(sent);
});

test('A message that can’t be taken away stays, and that is no failure', async () => {
  const { poster, calls } = posting(() => 'cant_delete_message');
  await poster.remove({ channel: 'C1', ts: '1.1' });
  expect(calls).toEqual([{ method: 'chat.delete', args: { channel: 'C1', ts: '1.1' } }]);
});
