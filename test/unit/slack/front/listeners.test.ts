import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import { Listeners } from '../../../../src/slack/front/listeners.ts';
import { aStore } from '../../../support/embedded.ts';
import { asking } from '../../../support/listening.ts';
import { scriptedSlack } from '../../../support/scripted-slack.ts';

const NOW = 10_000_000_000;
const HOUR_MS = 3_600_000;

type Handler = (args: object) => Promise<void>;

/** A listener to events of Slack, and what it calls. */
function listening(kind: 'app_mention' | 'message') {
  const { client, methods } = scriptedSlack();
  const leases = aStore(() => NOW).leases;
  const answered: string[] = [];
  const handlers = new Map<string, Handler>();
  const others = { use() {}, action() {}, view() {}, shortcut() {} };
  const app = { ...others, event: (type: string, handler: Handler) => handlers.set(type, handler) };
  const context = {
    leases,
    lookups: { isRepeated: async (delivery: string) => answered.includes(delivery) },
    now: () => NOW,
    logger: pino({ level: 'silent' }),
    operator: { contact: 'your bot admin', loginUrl: '' },
  } as unknown as ListenerContext;
  asking(new Listeners(app as unknown as App, context), context);
  const happens = async (event: object, event_id = 'Ev1') => {
    await handlers.get(kind)?.({ event, client, body: { event_id }, context: { botUserId: 'U0BOT' } });
    return methods();
  };
  return { happens, answered };
}

/** A message by its age. */
function said(ageMs: number, more: object = {}): object {
  const ts = ((NOW - ageMs) / 1_000).toFixed(6);
  return { channel: 'C1', user: 'U1', text: '<@U0BOT> help', ts, ...more };
}

describe('A mention', () => {
  const edited = { edited: { user: 'U1', ts: '1' } };

  test('that is edited is answered only while the bot remembers which mentions it has answered', async () => {
    const { happens } = listening('app_mention');
    expect(await happens(said(HOUR_MS, edited))).toEqual([]);
    expect(await happens(said(HOUR_MS / 2, edited))).toEqual(['chat.postEphemeral']);
    expect(await happens(said(HOUR_MS), 'Ev2')).toEqual(['chat.postEphemeral', 'chat.postEphemeral']);
  });

  test('that was answered, and is then edited to something that is no request, gets no help', async () => {
    const { happens, answered } = listening('app_mention');
    answered.push('C1:9999999.000100');
    expect(await happens(said(0, { ...edited, ts: '9999999.000100' }))).toEqual([]);
  });
});

describe('What is written', () => {
  const direct = { channel_type: 'im' };

  test.each([
    ['directly', direct, 1],
    ['directly, with a file', { ...direct, subtype: 'file_share' }, 1],
    ['directly, as a reply that the conversation shows too', { ...direct, subtype: 'thread_broadcast' }, 1],
    ['directly, with /me', { ...direct, subtype: 'me_message' }, 1],
    ['directly, and edited', { ...direct, subtype: 'message_changed' }, 0],
    ['in a channel', { channel_type: 'channel' }, 0],
    ['among several people', { channel_type: 'mpim' }, 0],
  ])('%s is answered or not', async (_where, more, answers) => {
    const { happens } = listening('message');
    expect(await happens(said(0, more))).toHaveLength(answers);
  });
});
