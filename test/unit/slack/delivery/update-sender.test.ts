import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../../src/core/faults.ts';
import type { Destination } from '../../../../src/core/lookup.ts';
import { NOW, RESPONSE, sending } from '../../../support/sending.ts';

const SHOWN: Destination = { channel: 'C1', user: 'U1', messageTs: '1.1' };

describe('An edit', () => {
  test('stays where it is', async () => {
    const { send, calls, manners } = sending();
    expect(await send(SHOWN)).toEqual({ destination: SHOWN, isShown: true });
    expect(calls).toMatchObject([{ method: 'chat.update', args: { channel: 'C1', ts: '1.1' } }]);
    expect(manners).toEqual([{ editable: true, isPrivate: false, channel: 'C1' }]);
  });

  test('of progress is not made by a process that lost its lookup to another: the answer may stand there', async () => {
    const { send, store, methods } = sending();
    store.isAway = true;
    await expect(send(SHOWN, 'progress')).rejects.toThrow(StorageFailed);
    expect(methods()).toEqual([]);
    await send(SHOWN);
    expect(methods()).toEqual(['chat.update']);
  });

  test.each([
    ['message_not_found', ['chat.update', 'chat.postMessage']],
    ['cant_update_message', ['chat.update', 'chat.postMessage', 'chat.delete']],
    ['is_archived', ['chat.update', 'chat.postMessage', 'chat.delete']],
  ])(
    'that is refused (%s) is followed by a new message, of progress too, and what is left of the old one goes',
    async (error, expected) => {
      for (const urgency of ['progress', 'final'] as const) {
        const { send, methods, saved, calls } = sending({ 'chat.update': error });
        expect((await send(SHOWN, urgency)).destination).toMatchObject({ channel: 'C9', messageTs: '2.2' });
        expect(methods()).toEqual(expected);
        for (const { args } of calls.slice(2)) expect(args).toEqual({ channel: 'C1', ts: '1.1' });
        expect(saved.at(-1)).toEqual({ channel: 'C1', user: 'U1', unconfirmed: { at: NOW } });
      }
    },
  );

  test('that is refused for what it says is no progress, and a final one goes elsewhere', async () => {
    const refused = { 'chat.update': 'msg_too_long' };
    const progress = sending(refused);
    await expect(progress.send(SHOWN, 'progress')).rejects.toThrow('msg_too_long');
    expect(progress.methods()).not.toContain('chat.postMessage');
    const final = sending(refused);
    await final.send(SHOWN);
    expect(final.methods()).toContain('chat.postMessage');
  });
});

test('An edit that Slack refuses for a while is a new message five minutes after the wait, and the old one goes', async () => {
  const refused = { 'chat.update': 'external_channel_migrating' };
  const early = sending(refused);
  const fiveMinutes = 300_000;
  await expect(early.send(SHOWN, 'final', NOW - fiveMinutes)).rejects.toThrow();
  expect(early.methods()).toEqual(['chat.update']);
  const over = sending(refused);
  expect((await over.send(SHOWN, 'final', NOW - fiveMinutes - 1)).destination).toMatchObject({
    messageTs: '2.2',
  });
  expect(over.methods()).toEqual(['chat.update', 'chat.postMessage', 'chat.delete']);
  const progress = sending(refused);
  await expect(progress.send(SHOWN, 'progress', NOW - fiveMinutes - 1)).rejects.toThrow();
  const unsure = sending({ 'chat.update': 'internal_error' });
  await expect(unsure.send(SHOWN, 'final', NOW - fiveMinutes - 1)).rejects.toThrow();
  expect([...progress.methods(), ...unsure.methods()]).toEqual(['chat.update', 'chat.update']);
});

describe('A post', () => {
  const { messageTs: _none, ...NEW } = SHOWN;

  test('begins a thread or goes on in one, which has replies then', async () => {
    const { send, saved } = sending();
    expect(await send({ ...NEW, threadTs: '0.5' })).toEqual({
      destination: { channel: 'C9', user: 'U1', threadTs: '0.5', hasThread: true, messageTs: '2.2' },
      isShown: true,
    });
    expect(saved).toHaveLength(1);
  });

  test('that may be there already is looked for, and edited where it is', async () => {
    const metadata = { event_type: 'snapshot_lookup', event_payload: { lookup: 'one' } };
    const there = sending({ 'conversations.history': { messages: [{ ts: '5.5', metadata }] } });
    const unconfirmed = { at: NOW - 1 };
    expect(await there.send({ ...NEW, unconfirmed })).toEqual({
      destination: { ...NEW, messageTs: '5.5' },
      isShown: true,
    });
    expect(there.methods()).toEqual(['conversations.history', 'chat.update']);
    const missing = sending();
    await missing.send({ ...NEW, unconfirmed });
    expect(missing.methods()).toEqual(['conversations.history', 'chat.postMessage']);
    const known = sending();
    expect((await known.send({ ...SHOWN, unconfirmed })).destination).toEqual(SHOWN);
    expect(known.methods()).toEqual(['chat.update']);
  });

  test.each(['U1', 'W1'])(
    'to %s that may be there already is looked for in the direct message',
    async (user) => {
      const metadata = { event_type: 'snapshot_lookup', event_payload: { lookup: 'one' } };
      const { send, calls } = sending({
        'conversations.open': { channel: { id: 'D1' } },
        'conversations.history': { messages: [{ ts: '5.5', metadata }] },
      });
      const { destination } = await send({ channel: user, user, unconfirmed: { at: NOW } });
      expect(destination).toEqual({ channel: 'D1', user, messageTs: '5.5' });
      expect(calls.map(({ args }) => args.users ?? args.channel)).toEqual([user, 'D1', 'D1']);
    },
  );

  test('that is refused goes to the response URL, and from there directly', async () => {
    const url = sending({ 'chat.postMessage': 'not_in_channel' });
    const { destination } = await url.send({ ...NEW, response: RESPONSE });
    expect(destination.response).toMatchObject({ uses: 1, isInUse: true });
    expect(url.responded).toHaveLength(1);
    const spent = sending({}, true);
    await spent.send({ ...NEW, response: { ...RESPONSE, isInUse: true } });
    expect(spent.calls.map(({ args }) => args.channel)).toEqual(['U1']);
    const late = sending();
    await late.send({ ...NEW, response: { ...RESPONSE, isInUse: true, expiresAt: NOW } });
    expect([late.responded, late.calls.map(({ args }) => args.channel)]).toEqual([[], ['U1']]);
  });

  test('that Slack refuses for a while is made later, and elsewhere once the wait is over', async () => {
    const refused = { 'chat.postMessage': 'external_channel_migrating' };
    const early = sending(refused);
    await expect(early.send({ ...NEW, response: RESPONSE }, 'final', NOW)).rejects.toThrow();
    expect(early.responded).toEqual([]);
    const over = sending(refused);
    await over.send({ ...NEW, response: RESPONSE }, 'final', NOW - 1);
    expect(over.responded).toHaveLength(1);
  });

  test('that is refused where there is no response URL goes directly', async () => {
    const { send, places, saved } = refusingIn('C1');
    const directly = { destination: { channel: 'D1', user: 'U1', messageTs: '2.2' }, isShown: true };
    expect(await send({ ...NEW, threadTs: '0.5', hasThread: true })).toEqual(directly);
    expect(places()).toEqual(['C1', 'U1']);
    const unconfirmed = { at: NOW };
    expect(saved).toEqual([
      { ...NEW, threadTs: '0.5', hasThread: true, unconfirmed },
      { channel: 'U1', user: 'U1', unconfirmed },
    ]);
    const closed = refusingIn('D7');
    expect(await closed.send({ channel: 'D7', user: 'U1' })).toEqual(directly);
    expect(closed.places()).toEqual(['D7', 'U1']);
  });

  test('that the person refuses is the last way', async () => {
    const refused = { 'chat.postMessage': 'messages_tab_disabled' };
    const { send, methods } = sending(refused);
    await expect(send({ channel: 'U1', user: 'U1' })).rejects.toThrow('messages_tab_disabled');
    expect(methods()).toEqual(['chat.postMessage']);
    const other = sending(refused);
    await other.send({ channel: 'U1', user: 'U1', response: RESPONSE });
    expect([other.methods(), other.responded.length]).toEqual([['chat.postMessage'], 1]);
  });
});

/** Slack takes no post in that conversation; in a person's direct message it takes them. */
function refusingIn(channel: string) {
  const sender = sending({
    'chat.postMessage': ({ args }) =>
      args.channel === channel ? 'is_archived' : { channel: 'D1', ts: '2.2' },
  });
  return { ...sender, places: () => sender.calls.map(({ args }) => args.channel) };
}
