import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { NotAcceptable } from '../../../src/core/faults.ts';
import type { Destination, Lookup } from '../../../src/core/lookup.ts';
import { CompositionFailed, type LookupStatus } from '../../../src/lookups/lookup-status.ts';
import { slackDelivery } from '../../../src/slack/create-slack.ts';
import { WaitingMessages } from '../../../src/slack/delivery/own-messages.ts';
import { Poster } from '../../../src/slack/delivery/poster.ts';
import type { ResponseUrlPoster } from '../../../src/slack/delivery/response-url-poster.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { aStore } from '../../support/embedded.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from '../../support/scripted-slack.ts';

const START = 1_000_000;
const WAIT_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const HERE: Destination = { channel: 'C1', user: 'U1' };
const SHOWN: Destination = { ...HERE, messageTs: '1.1' };
const LOOKUP: Lookup = { ...aLookup('one'), acceptedAt: START, deadline: START + WAIT_MS };
const WAITING: LookupStatus = { kind: 'waiting', since: START, reason: '', isProcessing: true };
const READY: LookupStatus = { kind: 'ready', result: aResult([aDiagnostic()]), readAt: START };
const RESPONSE = { url: 'https://hooks.slack.test/1', expiresAt: START + WAIT_MS, replaces: false };

/** Slack takes a post as the message 1.1, unless it answers otherwise. */
function delivering(answer: (call: ScriptedCall) => ScriptedAnswer | undefined = () => undefined) {
  const clock = { now: START };
  const store = aStore(() => clock.now);
  type Registered = ConstructorParameters<typeof WaitingMessages>[0];
  const namespace: Registered = store.namespace('waiting-messages');
  const slack = scriptedSlack((call) => answer(call) ?? { channel: 'C1', ts: '1.1', messages: [] });
  const responded: unknown[] = [];
  const responses = {
    post: async (response: object, message: object) => {
      responded.push(message);
      return { ...response, uses: 1, isInUse: true };
    },
  };
  const poster = new Poster(slack.client, () => {});
  const waitingMessages = new WaitingMessages(namespace);
  const undelivered: string[] = [];
  const now = () => clock.now;
  const delivery = slackDelivery({
    ...{ poster, responses: responses as unknown as ResponseUrlPoster },
    slack: { identity: async () => ({ user: 'UBOT', teams: [] }) },
    logger: pino({}, { write: () => {} }),
    waitingMessages,
    operator: { contact: 'Olga', loginUrl: '' },
    now,
    onUndeliverable: () => void undelivered.push(LOOKUP.id),
  });
  const saved: Destination[] = [];
  const deliver = (status: LookupStatus, destination = HERE) =>
    delivery({ ...LOOKUP, destination }, status, async (where) => void saved.push(where));
  const registered = async () => (await Array.fromAsync(namespace.entries())).map(([, value]) => value);
  return {
    ...slack,
    clock,
    deliver,
    saved,
    undelivered,
    registered,
    responded,
    waitingMessages,
    namespace,
  };
}

test('A message is made for where it is shown, and names who else has to act', async () => {
  const { deliver, calls, responded } = delivering(({ args }) =>
    args.channel === 'C2' ? 'not_in_channel' : undefined,
  );
  await deliver(WAITING);
  await deliver(WAITING, { ...HERE, channel: 'C2', response: RESPONSE });
  const texts = [JSON.stringify(calls[0]?.args.blocks), JSON.stringify(responded[0])];
  expect(texts.map((text) => text.includes('I’ll update this message'))).toEqual([true, false]);
  const fault = new NotAcceptable();
  await deliver({ kind: 'failed', fault, question: LOOKUP.question });
  expect(calls.at(-1)?.args.text).toContain('Olga');
});

describe('A wait', () => {
  test('is shown in a message that is registered before it is posted, and by its name afterwards', async () => {
    const atPost: unknown[] = [];
    const { deliver, registered, saved, clock, calls } = delivering(() => {
      void registered().then((values) => atPost.push(...values));
      return undefined;
    });
    expect(await deliver(WAITING)).toEqual({ destination: SHOWN, isShown: true });
    expect(calls[0]).toMatchObject({
      method: 'chat.postMessage',
      args: { channel: 'C1', text: expect.stringContaining('still being processed') },
    });
    expect(atPost).toEqual([{ channel: 'C1', lookupId: 'one' }]);
    expect(await registered()).toEqual([{ channel: 'C1', ts: '1.1', lookupId: 'one' }]);
    expect(saved).toEqual([{ ...HERE, unconfirmed: { at: START } }]);
    clock.now += WAIT_MS - 1;
    expect(await registered()).toHaveLength(1);
    clock.now += 1;
    expect(await registered()).toEqual([]);
  });

  test('that nobody else can see is pointed to by nobody', async () => {
    const { deliver, registered, responded } = delivering(() => 'not_in_channel');
    const response = { ...RESPONSE, uses: 1, isInUse: true };
    expect(await deliver(WAITING, { ...HERE, response: RESPONSE })).toEqual({
      destination: { ...HERE, response },
      isShown: true,
    });
    expect([responded.length, await registered()]).toEqual([1, []]);
  });

  test('that Slack refuses to show counts as shown, and ends nothing', async () => {
    const { deliver, undelivered } = delivering(() => 'user_disabled');
    expect(await deliver(WAITING, { channel: 'U1', user: 'U1' })).toMatchObject({ isShown: true });
    expect(undelivered).toEqual([]);
  });

  test('that comes too late, while Slack slows the bot down, leaves nothing to look for', async () => {
    const limit = () => new Response('{}', { status: 429, headers: { 'retry-after': '60' } });
    const { deliver, methods } = delivering(limit);
    expect(await deliver(WAITING)).toEqual({ destination: HERE, isShown: false });
    expect(await deliver(WAITING)).toEqual({ destination: HERE, isShown: false });
    expect(methods()).toEqual(['chat.postMessage']);
  });
});

describe('An answer', () => {
  test.each([
    ['registered', WAITING, HERE],
    ['taken away', READY, SHOWN],
  ] as const)('whose wait can’t be %s is not sent yet', async (_what, status, destination) => {
    const { deliver, namespace, calls } = delivering();
    const away = () => Promise.reject(new Error('the store is away'));
    Object.assign(namespace, { get: away, set: away });
    await deliver(status, destination).catch((error: unknown) => error);
    expect(calls).toEqual([]);
  });

  test('ends a wait also where nobody knows whether its message is there', async () => {
    const { deliver, registered } = delivering();
    await deliver(WAITING);
    await deliver(READY, { ...HERE, unconfirmed: { at: START } });
    expect(await registered()).toEqual([]);
  });

  test('that only one person sees offers to show it to everyone; a refusal does not', async () => {
    const { deliver, responded } = delivering(() => 'not_in_channel');
    await deliver(READY, { ...HERE, response: RESPONSE });
    await deliver({ kind: 'timed-out', reason: '' }, { ...HERE, response: RESPONSE });
    expect(responded.map((message) => JSON.stringify(message).includes('Show to everyone'))).toEqual([
      true,
      false,
    ]);
  });

  test('that Slack refuses everywhere ends the lookup without one', async () => {
    const { deliver, undelivered } = delivering(() => 'user_disabled');
    expect(await deliver(READY)).toMatchObject({ isShown: false });
    expect(undelivered).toEqual(['one']);
  });

  test('that may not have arrived is tried again until a day after the end of the wait', async () => {
    const { deliver, clock, undelivered } = delivering(() => 'internal_error');
    clock.now = LOOKUP.deadline + DAY_MS;
    await expect(deliver(READY)).rejects.toThrow('internal_error');
    expect(undelivered).toEqual([]);
    clock.now += 1;
    expect(await deliver(READY)).toMatchObject({ isShown: false });
    expect(undelivered).toEqual(['one']);
  });

  test.each([WAITING, READY])('that can’t be made is no matter of Slack: $kind', async (status) => {
    const { deliver, undelivered, methods } = delivering();
    const broken = {
      ...status,
      result: undefined,
      get since() {
        throw new TypeError('a bug');
      },
    } as unknown as LookupStatus;
    await expect(deliver(broken)).rejects.toThrow(CompositionFailed);
    expect([undelivered, methods()]).toEqual([[], []]);
  });
});
