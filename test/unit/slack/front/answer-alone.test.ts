import { describe, expect, test } from 'vitest';
import { answerAlone } from '../../../../src/slack/front/answer-alone.ts';
import type { Actor, EntryPoint } from '../../../../src/slack/front/delivery.ts';
import { Windows } from '../../../../src/slack/front/windows.ts';
import { scriptedSlack } from '../../../support/scripted-slack.ts';

const MESSAGE = { text: 'Not for you.', blocks: [] };
const RESPONSE_URL = 'https://hooks.slack.test/1';

/** What is done where something is said to the sender of a delivery alone. */
async function answered(entryPoint: EntryPoint, isAcknowledged: boolean, isTold = true, isClosed = false) {
  const { client, calls } = scriptedSlack(({ method }) =>
    method === 'views.update' && isClosed ? 'not_found' : {},
  );
  const done: unknown[][] = [];
  const channels = entryPoint.kind === 'home-opened' ? [] : ['C1'];
  const actor: Actor = { entryPoint, user: 'U1', team: 'T1', channels };
  const ack = async (...args: unknown[]) => void done.push(['ack', ...args]);
  const tell = async (...args: unknown[]) => done.push(['tell', ...args]) > 0;
  const sender = { actor, client, ack, isAcknowledged: () => isAcknowledged, botUser: 'U0BOT' };
  await answerAlone(
    sender,
    MESSAGE,
    { responses: { tell } as never, windows: new Windows('') },
    () => isTold,
  );
  return [...done, ...calls.map(({ method, args }) => [method, args])];
}

const command: EntryPoint = { kind: 'command', responseUrl: RESPONSE_URL };
const submission: EntryPoint = { kind: 'submission', viewId: 'V1' };
const click: EntryPoint = { kind: 'message-click', responseUrl: RESPONSE_URL, threadTs: '1.1' };
const mention: EntryPoint = { kind: 'mention', text: '<@U0BOT> 26808463', threadTs: '1.1' };
const notice = expect.objectContaining({ type: 'modal', blocks: expect.anything() });

describe('What only the sender sees is said', () => {
  test('in the acknowledgement of a command or a form', async () => {
    expect(await answered(command, false)).toEqual([['ack', { response_type: 'ephemeral', ...MESSAGE }]]);
    expect(await answered(submission, false)).toEqual([['ack', { response_action: 'update', view: notice }]]);
  });

  test('after the acknowledgement where that carries nothing', async () => {
    expect(await answered(command, true)).toEqual([['tell', { responseUrl: RESPONSE_URL }, MESSAGE]]);
    expect(await answered(click, false)).toEqual([
      ['ack'],
      ['tell', { responseUrl: RESPONSE_URL, threadTs: '1.1' }, MESSAGE],
    ]);
    expect(await answered(submission, true)).toEqual([
      ['views.update', expect.objectContaining({ view_id: 'V1', view: notice })],
    ]);
    expect(await answered({ kind: 'modal-click', viewId: 'V1' }, false)).toEqual([
      ['ack'],
      ['views.update', expect.objectContaining({ view_id: 'V1', view: notice })],
    ]);
    expect(await answered({ kind: 'shortcut', triggerId: 'a trigger' }, false)).toEqual([
      ['ack'],
      ['views.open', expect.objectContaining({ trigger_id: 'a trigger', view: notice })],
    ]);
  });

  test('in a direct message to whose form has closed; nobody waits in a window of a result that is closed', async () => {
    expect((await answered(submission, true, true, true)).at(-1)).toEqual([
      'chat.postMessage',
      expect.objectContaining({ channel: 'U1', text: MESSAGE.text, parse: 'none' }),
    ]);
    const click = { kind: 'modal-click', viewId: 'V1' } as const;
    expect((await answered(click, true, true, true)).map(([what]) => what)).toEqual(['views.update']);
  });

  test.each(['home-opened', 'home-click'] as const)('on the Home tab: %s', async (kind) => {
    expect((await answered({ kind }, true)).at(-1)).toEqual([
      'views.publish',
      expect.objectContaining({ user_id: 'U1' }),
    ]);
  });

  test('in the thread of a mention; not to a mention that asks for nothing', async () => {
    expect(await answered(mention, true)).toEqual([
      [
        'chat.postEphemeral',
        expect.objectContaining({
          channel: 'C1',
          user: 'U1',
          thread_ts: '1.1',
          text: MESSAGE.text,
          parse: 'none',
        }),
      ],
    ]);
    expect(await answered({ kind: 'mention', text: 'as <@U0BOT> said' }, true)).toEqual([]);
  });

  test('in a direct message, as a text that Slack turns into nothing else; in a thread, there', async () => {
    const said = { channel: 'C1', text: MESSAGE.text, parse: 'none' };
    const plain = await answered({ kind: 'direct-message' }, true);
    expect(plain).toEqual([['chat.postMessage', expect.objectContaining(said)]]);
    expect(plain[0]?.[1]).not.toHaveProperty('thread_ts');
    expect(await answered({ kind: 'direct-message', threadTs: '1.1' }, true)).toEqual([
      ['chat.postMessage', expect.objectContaining({ ...said, thread_ts: '1.1' })],
    ]);
  });

  test('not at all where it would cost a request too many, but the delivery is acknowledged', async () => {
    expect(await answered(click, false, false)).toEqual([['ack']]);
    expect(await answered(command, false, false)).toHaveLength(1);
    for (const entry of [mention, { kind: 'direct-message' }, { kind: 'home-opened' }] as const)
      expect(await answered(entry, true, false)).toEqual([]);
  });
});
