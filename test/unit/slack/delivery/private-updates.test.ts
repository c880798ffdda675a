import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../../src/core/faults.ts';
import type { View } from '../../../../src/slack/blocks/action-values.ts';
import type { Message } from '../../../../src/slack/blocks/blocks.ts';
import { aLookup } from '../../../support/a-lookup.ts';
import { MESSAGE, NOW, RESPONSE, sending } from '../../../support/sending.ts';

describe('Through a response URL', () => {
  const VIEW: View = { question: aLookup('one').question };
  const refused = { 'chat.postMessage': 'not_in_channel' };
  const at = { channel: 'C1', user: 'U1', response: RESPONSE };
  const sent = ({ responded }: ReturnType<typeof sending>) => responded as [object, Message, string?][];

  test('the first message says how to get answers for everyone, if the bot knows its name with it', async () => {
    const known = sending(refused, false, true);
    expect(await known.send(at)).toEqual({
      destination: { ...at, response: { ...RESPONSE, uses: 1, isInUse: true } },
      isShown: true,
    });
    expect(known.manners.at(-1)).toMatchObject({ editable: false, isPrivate: true });
    const [[response, message, thread] = []] = sent(known);
    expect([response, thread]).toEqual([RESPONSE, undefined]);
    expect(JSON.stringify(message)).toContain('/invite <@UBOT>');
    const unknown = sending(refused);
    await unknown.send(at);
    expect(JSON.stringify(sent(unknown))).toContain('invite it');
  });

  test.each([{ isInUse: true }, { replaces: true }])(
    'a later one does not say so again: %j',
    async (known) => {
      const sender = sending({}, false, true);
      await sender.send({ ...at, response: { ...RESPONSE, ...known } });
      expect(sent(sender)[0]?.[1]).toEqual(MESSAGE);
      expect(sender.manners).toMatchObject([{ editable: 'replaces' in known, isPrivate: true }]);
      expect(sender.methods()).toEqual([]);
    },
  );

  test('a result is offered to everyone, in its thread', async () => {
    const sender = sending();
    const response = { ...RESPONSE, isInUse: true };
    await sender.send({ ...at, threadTs: '0.5', hasThread: true, response }, 'final', NOW, VIEW);
    await sender.send({ ...at, threadTs: '0.5', response }, 'final', NOW, VIEW);
    expect(sent(sender).map(([, , thread]) => thread)).toEqual(['0.5', undefined]);
    const text = JSON.stringify(sent(sender)[0]?.[1]);
    expect(text).toContain('Show to everyone');
    expect(text).toContain('0.5');
  });

  const clicked = { ...at, response: { ...RESPONSE, replaces: true } };

  test('an answer that Slack took while the store was away is stored by the next try, and not posted again', async () => {
    const { send, store, responded, saved } = sending();
    store.isAway = true;
    for (const _try of [1, 2]) await expect(send(clicked)).rejects.toThrow(StorageFailed);
    store.isAway = false;
    const response = { ...clicked.response, uses: 1, isInUse: true };
    expect(await send(clicked)).toEqual({ destination: { ...at, response }, isShown: true });
    expect(saved).toEqual([{ ...at, response: { ...response, hasAnswer: true } }]);
    expect(responded).toHaveLength(1);
  });

  test.each([
    ['an answer that is one more message', { ...RESPONSE, isInUse: true }, 'final'],
    ['progress in place of a message', clicked.response, 'progress'],
  ] as const)(
    '%s is not posted by a process that lost its lookup to another',
    async (_, response, urgency) => {
      const { send, store, responded, methods } = sending();
      store.isAway = true;
      await expect(send({ ...at, response }, urgency)).rejects.toThrow(StorageFailed);
      expect([responded, methods()]).toEqual([[], []]);
    },
  );

  test('an answer that was posted is known by what is stored, in another replica too', async () => {
    const { send, saved } = sending();
    await send(clicked, 'final');
    const other = sending();
    expect((await other.send(saved[0] ?? at, 'final')).isShown).toBe(true);
    expect([other.responded, other.methods()]).toEqual([[], []]);
  });

  test('the answer is posted though the notice that its lookup waits was not stored', async () => {
    const { send, store, responded } = sending();
    store.isAway = true;
    await expect(send(clicked, 'progress')).rejects.toThrow(StorageFailed);
    store.isAway = false;
    await send(clicked, 'final');
    expect(responded).toHaveLength(1);
  });

  test('a first notice that Slack took while the store went away is not said again', async () => {
    const { send, store, responded, saved } = sending(refused);
    store.goesWithPost = true;
    await expect(send(at, 'progress')).rejects.toThrow(StorageFailed);
    Object.assign(store, { isAway: false, goesWithPost: false });
    const response = { ...RESPONSE, uses: 1, isInUse: true };
    expect(await send(at, 'progress')).toEqual({ destination: { ...at, response }, isShown: true });
    expect([responded.length, saved.at(-1)]).toEqual([1, { ...at, response }]);
  });

  test('progress replaces its message, and leaves the last use to the answer', async () => {
    const { send, responded } = sending();
    const uses = [];
    for (const used of [0, 1, 2, 3, 4]) {
      const response = { ...RESPONSE, replaces: true, uses: used };
      uses.push((await send({ ...at, response }, 'progress')).destination.response?.uses);
    }
    expect(uses).toEqual([1, 2, 3, 4, 4]);
    expect(responded).toHaveLength(4);
    await send({ ...at, response: { ...RESPONSE, replaces: true, uses: 4 } });
    expect(responded).toHaveLength(5);
  });
});

test('Progress is not said through a response URL that only adds messages', async () => {
  const { send, responded, methods } = sending();
  const destination = { channel: 'C1', user: 'U1', response: { ...RESPONSE, isInUse: true } };
  expect(await send(destination, 'progress')).toEqual({ destination, isShown: true });
  expect([responded, methods()]).toEqual([[], []]);
});
