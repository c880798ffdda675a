import { describe, expect, test } from 'vitest';
import { asking, listening, NOW } from '../../../support/listening.ts';

const HOUR_MS = 3_600_000;

/** What is called when this event happens, of which those deliveries were answered before. */
async function calledBy(kind: 'app_mention' | 'message', event: object, ...answered: string[]) {
  const isRepeated = async (delivery: string) => answered.includes(delivery);
  const here = listening(asking, { changes: { lookups: { isRepeated } } });
  await here.happens(kind, event);
  return here.calls.map(({ method }) => method);
}

/** A message by its age. */
function said(ageMs: number, more: object = {}): object {
  const ts = ((NOW - ageMs) / 1_000).toFixed(6);
  return { channel: 'C1', user: 'U1', text: '<@U0BOT> help', ts, ...more };
}

describe('A mention', () => {
  const edited = { edited: { user: 'U1', ts: '1' } };

  test('that is edited is answered only while the bot remembers which mentions it has answered', async () => {
    expect(await calledBy('app_mention', said(HOUR_MS, edited))).toEqual([]);
    expect(await calledBy('app_mention', said(HOUR_MS / 2, edited))).toEqual(['chat.postEphemeral']);
    expect(await calledBy('app_mention', said(HOUR_MS))).toEqual(['chat.postEphemeral']);
  });

  test('that was answered, and is then edited to something that is no request, gets no help', async () => {
    const mention = said(0, { ...edited, ts: '9999999.000100' });
    expect(await calledBy('app_mention', mention, 'C1:9999999.000100')).toEqual([]);
  });
});

describe('What is written', () => {
  const direct = { channel_type: 'im' };

  test.each([
    ['directly', direct, 1],
    ['directly, with a file', { ...direct, subtype: 'file_share' }, 1],
    ['directly, as a reply that the conversation shows', { ...direct, subtype: 'thread_broadcast' }, 1],
    ['directly, with /me', { ...direct, subtype: 'me_message' }, 1],
    ['directly, and edited', { ...direct, subtype: 'message_changed' }, 0],
    ['in a channel', { channel_type: 'channel' }, 0],
    ['among several people', { channel_type: 'mpim' }, 0],
  ])('%s is answered or not', async (_where, more, answers) => {
    expect(await calledBy('message', said(0, more))).toHaveLength(answers);
  });
});
