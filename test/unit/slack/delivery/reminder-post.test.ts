import { describe, expect, test } from 'vitest';
import type { Fulfilment, OpenReminder } from '../../../../src/lookups/open-reminder.ts';
import { Poster } from '../../../../src/slack/delivery/poster.ts';
import { RateLimitedQueue } from '../../../../src/slack/delivery/rate-limited-queue.ts';
import { ReminderPost } from '../../../../src/slack/delivery/reminder-post.ts';
import { aReminder } from '../../../support/a-reminder.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from '../../../support/scripted-slack.ts';

const NOW = 1_000_000;
const REMINDER = aReminder('one');

/** Slack answers so to what is named; a post is taken where nothing else is said. */
function reminding(answer: (call: ScriptedCall) => ScriptedAnswer | undefined = () => undefined) {
  const slack = scriptedSlack((call) => answer(call) ?? { channel: 'C9', ts: '2.2' });
  const undelivered: unknown[] = [];
  const saved: unknown[] = [];
  const asked: string[] = [];
  const post = new ReminderPost({
    poster: new Poster({
      client: slack.client,
      rateLimitedQueue: new RateLimitedQueue(),
      onRefusedContent: () => {},
    }),
    mayStillSee: async (user, channel) => {
      asked.push(`${user} in ${channel}`);
      return channel === 'C1';
    },
    now: () => NOW,
    onUndelivered: (error, { id }) => void undelivered.push(`${id}: ${error}`),
  });
  const remind = (changes: Partial<OpenReminder> = {}) =>
    post.remind({ ...REMINDER, ...changes }, async (unconfirmed) => void saved.push(unconfirmed));
  const places = () => slack.calls.map(({ args }) => [args.channel ?? args.users, args.thread_ts ?? args.ts]);
  return { ...slack, post, remind, undelivered, saved, asked, places };
}

test('Whether somebody may still be reminded is asked for the person and the conversation', async () => {
  const { post, asked } = reminding();
  const elsewhere = { ...REMINDER, destination: { ...REMINDER.destination, channel: 'C2' } };
  expect([await post.mayRemind(REMINDER), await post.mayRemind(elsewhere)]).toEqual([true, false]);
  expect(asked).toEqual(['U1 in C1', 'U1 in C2']);
});

describe('A reminder', () => {
  test('mentions the person in the thread of the message, and can be found again', async () => {
    const { remind, calls, saved, undelivered } = reminding();
    expect(await remind()).toBe(true);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'chat.postMessage',
      args: {
        channel: 'C1',
        thread_ts: '1.1',
        text: expect.stringMatching(/^<@U1> It’s time to check snapshot 26808463 again/),
        metadata: { event_payload: { lookup: 'one' } },
      },
    });
    expect([saved, undelivered]).toEqual([[{ at: NOW }], []]);
  });

  test('of a message in a thread comes in that thread', async () => {
    const { remind, places } = reminding();
    await remind({ destination: { ...REMINDER.destination, threadTs: '0.5' } });
    expect(places()).toEqual([['C1', '0.5']]);
  });

  test.each([{}, { threadTs: '0.5' }])('of a private message comes directly: %j', async (thread) => {
    const { remind, places } = reminding();
    expect(await remind({ destination: { channel: 'C1', user: 'U1', ...thread } })).toBe(true);
    expect(places()).toEqual([['U1', undefined]]);
  });

  test('that Slack refuses there comes directly', async () => {
    const { remind, places, undelivered } = reminding(({ args }) =>
      args.channel === 'C1' ? 'is_archived' : undefined,
    );
    expect(await remind()).toBe(true);
    expect(places()).toEqual([
      ['C1', '1.1'],
      ['U1', undefined],
    ]);
    expect(undelivered).toEqual([]);
  });

  test('that Slack refuses everywhere is given up, and told with the last reason', async () => {
    const { remind, undelivered } = reminding(({ args }) =>
      args.channel === 'C1' ? 'is_archived' : 'user_disabled',
    );
    expect(await remind()).toBe(false);
    expect(undelivered).toEqual([expect.stringMatching(/^one: .*user_disabled/)]);
  });

  test.each<ScriptedAnswer>(['internal_error', new Error('no connection')])(
    'that may have arrived is not sent elsewhere: %s',
    async (answer) => {
      const { remind, calls, undelivered } = reminding(() => answer);
      await expect(remind()).rejects.toThrow();
      expect([calls.length, undelivered]).toEqual([1, []]);
    },
  );

  test('that can’t be made, because of a bug, is given up: its step would only be repeated', async () => {
    const { remind, calls, undelivered } = reminding();
    const fulfilledBy = {} as Fulfilment;
    expect(await remind({ fulfilledBy })).toBe(false);
    expect(undelivered).toEqual([expect.stringContaining('a message could not be made')]);
    expect(calls).toEqual([]);
  });

  test('that may have arrived is looked for first, and not posted again if it is there', async () => {
    const metadata = { event_type: 'snapshot_lookup', event_payload: { lookup: 'one' } };
    const there = reminding(() => ({ messages: [{ ts: '3.3', metadata }] }));
    expect(await there.remind({ unconfirmed: { at: NOW } })).toBe(true);
    expect(there.methods()).toEqual(['conversations.replies']);
    const missing = reminding(({ method }) =>
      method === 'conversations.replies' ? { messages: [] } : undefined,
    );
    expect(await missing.remind({ unconfirmed: { at: NOW } })).toBe(true);
    expect(missing.methods()).toEqual(['conversations.replies', 'chat.postMessage']);
  });
});
