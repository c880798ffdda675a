import { expect, test } from 'vitest';
import type { Where } from '../../../../src/slack/delivery/own-messages.ts';
import { Poster } from '../../../../src/slack/delivery/poster.ts';
import { type ScriptedAnswer, scriptedSlack } from '../../../support/scripted-slack.ts';

const AT = 1_795_167_300_000;
const OURS = {
  ts: '5.5',
  metadata: { event_type: 'snapshot_lookup', event_payload: { lookup: 'one' } },
};

/** Slack's pages of a conversation, one a call. */
function paging(...pages: ScriptedAnswer[]) {
  const slack = scriptedSlack(() => pages.shift() ?? { messages: [] });
  const poster = new Poster(slack.client, () => {});
  const find = async (where: Where = { channel: 'C1' }) =>
    (await poster.find(where, 'one', { at: AT }, 'final'))?.ts;
  return { ...slack, find };
}

const page = (messages: object[], next = '') => ({ messages, response_metadata: { next_cursor: next } });

test('The message of a lookup is known by its metadata alone', async () => {
  const others = [
    { ts: '1.1' },
    { ts: '2.2', metadata: { event_type: 'snapshot_lookup', event_payload: { lookup: 'two' } } },
    { ts: '3.3', metadata: { ...OURS.metadata, event_type: 'another' } },
    { ts: '4.4', metadata: { event_type: 'snapshot_lookup', event_payload: {} } },
    { ts: '4.5', metadata: { event_type: 'snapshot_lookup' } },
  ];
  expect(await paging(page([...others, OURS])).find()).toBe('5.5');
  expect(await paging(page(others)).find()).toBeUndefined();
});

test('A message is looked for from a day before the post on, because the bot’s clock may have stepped since, with metadata, 200 on a page', async () => {
  const { find, calls } = paging(page([OURS]));
  await find();
  expect(calls).toEqual([
    {
      method: 'conversations.history',
      args: {
        channel: 'C1',
        oldest: String((AT - 24 * 3_600_000) / 1_000),
        include_all_metadata: 'true',
        limit: '200',
      },
    },
  ]);
});

test('In a thread a message is looked for among the replies', async () => {
  const { find, calls } = paging(page([OURS]));
  expect(await find({ channel: 'C1', threadTs: '0.5' })).toBe('5.5');
  expect(calls[0]).toMatchObject({ method: 'conversations.replies', args: { channel: 'C1', ts: '0.5' } });
});

test('Page after page is read until it is found or they end', async () => {
  const found = paging(page([], 'two'), page([], 'three'), page([OURS], 'four'), page([]));
  expect(await found.find()).toBe('5.5');
  expect(found.calls.map(({ args }) => args.cursor)).toEqual([undefined, 'two', 'three']);
  const missing = paging(page([], 'two'), page([]), page([OURS]));
  expect(await missing.find()).toBeUndefined();
  expect(missing.calls).toHaveLength(2);
  for (const bare of [{}, { messages: [] }]) {
    const { find, calls } = paging(bare);
    expect(await find()).toBeUndefined();
    expect(calls).toHaveLength(1);
  }
});

test('Ten pages are enough: who looks at everything never ends', async () => {
  const { find, calls } = paging(...Array.from({ length: 20 }, () => page([], 'more')));
  expect(await find()).toBeUndefined();
  expect(calls).toHaveLength(10);
});

test('Without the scope nothing is found; any other failure of Slack is thrown', async () => {
  expect(await paging('missing_scope').find()).toBeUndefined();
  await expect(paging('internal_error').find()).rejects.toThrow('internal_error');
  await expect(paging(new Error('no connection')).find()).rejects.toThrow();
});
