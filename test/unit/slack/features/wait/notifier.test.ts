import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../../../src/core/lookup.ts';
import type { LookupStatus } from '../../../../../src/lookups/lookup-status.ts';
import { waitValue } from '../../../../../src/slack/blocks/action-values.ts';
import { wait } from '../../../../../src/slack/features/wait/index.ts';
import { aLookup } from '../../../../support/a-lookup.ts';
import { featureParts } from '../../../../support/feature-parts.ts';
import { listening } from '../../../../support/listening.ts';
import type { ScriptedAnswer, ScriptedCall } from '../../../../support/scripted-slack.ts';

const START = 1_000_000;
const LONG_MS = 60_000;
const KEPT_MS = 2 * 24 * 3_600_000;
const GIVEN_UP: LookupStatus = { kind: 'timed-out', reason: '' };
const SHOWN: Destination = { channel: 'C1', user: 'U1', messageTs: '1.1' };

type Stored = { readonly users: readonly string[]; readonly stage: string };

function notifying(answer?: (call: ScriptedCall) => ScriptedAnswer) {
  const parts = featureParts(answer ?? (() => ({ channel: 'C1', ts: '2.2' })));
  parts.clock.now = START;
  const feature = wait(parts);
  /** The end of a lookup that was begun at the start: shown there before, and there now. */
  const end = async (status: LookupStatus, before: Destination = SHOWN, now: Destination = before) =>
    feature.hook?.({
      lookup: { ...aLookup('one'), askedBy: 'U1', acceptedAt: START, destination: before },
      status,
      shown: { destination: now, isShown: true },
    });
  const stored = () => parts.store.namespace<Stored>('subscriptions').get('one');
  const texts = () => parts.calls.map(({ args }) => args.text);
  const refused = () => parts.log.filter((line) => line.includes('"lookup":"one"')).length;
  return { ...parts, ...feature, end, stored, texts, refused };
}

describe('“Tell me too”', () => {
  test.each([
    ['joined', 'U2', 'I’ll mention you in the thread'],
    ['joined', 'U1', 'I’ll mention you if this takes over a minute'],
    ['long', 'U1', 'I’ll mention you in the thread'],
    ['full', 'U2', 'The list is full'],
    ['over', 'U2', 'has ended'],
    ['over', 'U1', 'has ended'],
  ])('promises what is so: %s, pressed by %s', async (state, user, words) => {
    const { listen, join, end, clock, stored } = notifying();
    if (state === 'long') clock.now += LONG_MS;
    for (let at = 0; state === 'full' && at < 100; at += 1) await join('one', `U${at + 10}`);
    if (state === 'over') await end(GIVEN_UP);
    const find = async () => ({ askedBy: 'U1', acceptedAt: START });
    const here = listening(listen, { changes: { lookups: { find } } });
    await here.click('tell-me-too', { value: waitValue('one'), user });
    expect(here.of('tell')).toEqual([[expect.anything(), { text: expect.stringContaining(words) }]]);
    if (state === 'over') expect((await stored())?.users).toEqual([]);
  });
});

describe('Whoever wants to be told', () => {
  test('joins once, as long as the lookup is open, and is kept for two days', async () => {
    const { join, stored, clock } = notifying();
    expect([await join('one', 'U2'), await join('one', 'U2')]).toEqual(['joined', 'joined']);
    expect(await stored()).toEqual({ users: ['U2'], stage: 'open' });
    clock.now += KEPT_MS - 1;
    expect(await stored()).toBeDefined();
    clock.now += 1;
    expect(await stored()).toBeUndefined();
  });

  test('is one of a hundred, and who has joined is never turned away', async () => {
    const { join, stored } = notifying();
    for (let index = 0; index < 100; index += 1) await join('one', `U${index}`);
    expect([await join('one', 'U100'), await join('one', 'U99')]).toEqual(['full', 'joined']);
    expect((await stored())?.users).toHaveLength(100);
  });
});

describe('The end of a wait', () => {
  test('that was long is told once', async () => {
    const { end, clock, calls } = notifying();
    clock.now += LONG_MS;
    await end(GIVEN_UP);
    await end(GIVEN_UP);
    expect(calls).toHaveLength(1);
  });

  test('of which the answer became private is told to each who joined, directly', async () => {
    const { join, end, clock, calls } = notifying();
    for (const user of ['U2', 'U1']) await join('one', user);
    clock.now += LONG_MS;
    const url = { url: 'https://hooks.slack.test/x', expiresAt: START, replaces: false, isInUse: true };
    for (let time = 1; time <= 2; time += 1) await end(GIVEN_UP, SHOWN, { ...SHOWN, response: url });
    expect(calls.map(({ args }) => args.channel)).toEqual(['U2']);
  });

  test('that nobody could have joined leaves nothing behind', async () => {
    const { end, stored } = notifying();
    await end(GIVEN_UP, { channel: 'C1', user: 'U1' }, SHOWN);
    expect(await stored()).toBeUndefined();
  });

  test('that can’t be told directly either holds nothing up', async () => {
    const { join, end, refused } = notifying(() => 'user_not_found');
    await join('one', 'U2');
    await end(GIVEN_UP, SHOWN, { ...SHOWN, channel: 'D1' });
    expect(refused()).toEqual(1);
  });
});

describe('A reply', () => {
  test.each([
    ['is not posted again once it is found', 'one:over', 1],
    ['is posted after all: the answer itself is not taken for it', 'one', 2],
  ])('of which nobody knows whether it arrived %s', async (_what, lookup, posted) => {
    const found = { ts: '2.2', metadata: { event_type: 'snapshot_lookup', event_payload: { lookup } } };
    let tries = 0;
    const { end, clock, calls, stored } = notifying(({ method }) => {
      if (method !== 'chat.postMessage') return { messages: [{ ts: '1.1' }, found] };
      tries += 1;
      return tries === 1 ? 'internal_error' : { channel: 'C1', ts: '2.2' };
    });
    clock.now += LONG_MS;
    await expect(end(GIVEN_UP)).rejects.toThrow('internal_error');
    await end(GIVEN_UP);
    expect(calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(posted);
    expect((await stored())?.stage).toBe('told');
  });

  test('to what the asker gave up after long mentions the others alone', async () => {
    const { join, end, clock, texts } = notifying();
    await join('one', 'U2');
    clock.now += LONG_MS;
    await end({ kind: 'cancelled' });
    expect(texts()).toEqual([expect.stringMatching(/^<@U2> The lookup/)]);
  });

  test('that Slack will never take is given up', async () => {
    const { end, clock, refused, stored } = notifying(() => 'restricted_action');
    clock.now += LONG_MS;
    await end(GIVEN_UP);
    expect([refused(), (await stored())?.stage]).toEqual([1, 'told']);
  });
});
