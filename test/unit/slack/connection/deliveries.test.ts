import { EventEmitter } from 'node:events';
import type { Logger, SocketModeReceiver } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { checkDelivery, logError, NotADelivery } from '../../../../src/slack/connection/deliveries.ts';
import { checkFrames } from '../../../../src/slack/connection/frames.ts';

const COMMAND = { command: '/snapshot', user_id: 'U1', channel_id: 'C1', trigger_id: 't', text: '' };
const EVENT = { type: 'event_callback', team_id: 'T1', event: { type: 'app_mention' } };
const BUTTON = { type: 'button', action_id: 'details', block_id: 'b', value: 'v' };
const MENU = { ...BUTTON, type: 'overflow', selected_option: { value: 'csv' } };
const VIEW = { id: 'V1', type: 'modal', callback_id: 'look-up', private_metadata: '' };
const VALUES = { where: { where: { type: 'conversations_select', selected_conversation: 'C1' } } };
const who = { user: { id: 'U1', team_id: 'T1' }, trigger_id: 't' };
const CLICK = {
  ...{ type: 'block_actions', ...who, channel: { id: 'C1' }, actions: [BUTTON] },
  container: { type: 'message', channel_id: 'C1', message_ts: '1.1', thread_ts: '1.1' },
  message: { ts: '1.1' },
};
const SUBMISSION = { type: 'view_submission', ...who, view: { ...VIEW, state: { values: VALUES } } };
const SHORTCUT = { type: 'shortcut', ...who, callback_id: 'look-up-snapshot' };
const MESSAGE = {
  ...{ ...SHORTCUT, type: 'message_action', channel: { id: 'C1' }, message: { text: '1012' } },
  ...{ message_ts: '1.1', response_url: 'https://hooks.slack.test/1' },
};

function isTaken(body: object): boolean {
  try {
    checkDelivery({ body: body as Record<string, unknown> });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(NotADelivery);
    return false;
  }
}

test.each([
  ['a command', COMMAND],
  ['an event', EVENT],
  ['a click', CLICK],
  ['a choice', { ...CLICK, actions: [MENU] }],
  ['a click in a modal', { ...CLICK, container: { type: 'view' }, view: VIEW }],
  ['a form', SUBMISSION],
  [
    'a form whose fields are empty',
    { ...SUBMISSION, view: { ...VIEW, state: { values: { a: { a: { value: null } } } } } },
  ],
  ['a shortcut', SHORTCUT],
  ['a shortcut on a message', MESSAGE],
])('%s that Slack sends is taken', (_what, body) => {
  expect(isTaken(body)).toBe(true);
});

test('A refusal says which field it is about, and nothing of what somebody wrote', () => {
  const values = { 'my secret': { a: { selected_conversation: 'no id' } } };
  const body = { ...SUBMISSION, view: { ...VIEW, state: { values } } };
  expect(() => checkDelivery({ body })).toThrow(/^refused a delivery .* sent: view_submission\.view\.state$/);
});

const without = (body: Record<string, unknown>, name: string) => ({ ...body, [name]: undefined });

describe('What a listener relies on must be there:', () => {
  test.each(['user_id', 'channel_id', 'trigger_id', 'text'])('%s of a command', (name) => {
    expect(isTaken(without(COMMAND, name))).toBe(false);
  });

  test.each(['user', 'trigger_id', 'container', 'actions'])('%s of a click', (name) => {
    expect(isTaken(without(CLICK, name))).toBe(false);
  });

  test.each(['user', 'trigger_id', 'view'])('%s of a form', (name) => {
    expect(isTaken(without(SUBMISSION, name))).toBe(false);
  });

  test.each(['channel', 'message', 'message_ts', 'response_url'])('%s of a shortcut on a message', (name) => {
    expect(isTaken(without(MESSAGE, name))).toBe(false);
  });

  test.each([
    ['an action', { ...CLICK, actions: [] }],
    ['one that is an object', { ...CLICK, actions: [BUTTON, 'more'] }],
    ['the choice in a menu', { ...CLICK, actions: [without(MENU, 'selected_option')] }],
    ['the choice in a select', { ...CLICK, actions: [{ ...BUTTON, type: 'static_select' }] }],
    ['the name of an action', { ...CLICK, actions: [{ ...BUTTON, action_id: '' }] }],
    ['the id of a block', { ...CLICK, actions: [without(BUTTON, 'block_id')] }],
    ['the id of a view', { ...SUBMISSION, view: without(SUBMISSION.view, 'id') }],
    ['the state of a form', { ...SUBMISSION, view: VIEW }],
    ['the kind of an event', { ...EVENT, event: {} }],
    ['the message that was clicked', without(CLICK, 'message')],
    ['the message that the container names', { ...CLICK, message: { ts: '1.2' } }],
    ['the channel that the container names', { ...CLICK, channel: { id: 'C2' } }],
    ['the slash of a command', { ...COMMAND, command: 'snapshot' }],
  ])('%s', (_what, body) => {
    expect(isTaken(body)).toBe(false);
  });
});

describe('What has a form has it:', () => {
  test.each([
    ['a person', { ...COMMAND, user_id: 'constructor' }],
    ['a conversation', { ...COMMAND, channel_id: 'C1/../x' }],
    ['a team', { ...COMMAND, team_id: '__proto__' }],
    ['the time of a message', { ...CLICK, container: { ...CLICK.container, message_ts: '1' } }],
    ['the time of a thread', { ...CLICK, container: { ...CLICK.container, thread_ts: 'x.y' } }],
    [
      'a chosen conversation',
      { ...SUBMISSION, view: { ...VIEW, state: { values: { a: { a: { selected_conversation: 'c1' } } } } } },
    ],
    ['a trigger', { ...COMMAND, trigger_id: 't'.repeat(256) }],
  ])('%s', (_what, body) => {
    expect(isTaken(body)).toBe(false);
  });
});

describe('A frame of Socket Mode', () => {
  function receiving() {
    const heard: unknown[] = [];
    const warnings: unknown[] = [];
    const client = new EventEmitter();
    client.on('ws_message', (...frame: unknown[]) => heard.push(frame));
    const logger = { warn: (line: unknown) => warnings.push(line) } as unknown as Logger;
    checkFrames({ client } as unknown as SocketModeReceiver, logger);
    return { client, heard, warnings };
  }
  const envelope = (type: string, payload: unknown = {}) => ({ type, envelope_id: 'e1', payload });

  test.each([
    { type: 'hello' },
    { type: 'disconnect', reason: 'warning' },
    envelope('slash_commands'),
    envelope('interactive'),
    envelope('events_api', { event: { type: 'app_mention' } }),
  ])('that Slack sends reaches its client: %j', (frame) => {
    const { client, heard, warnings } = receiving();
    client.emit('ws_message', JSON.stringify(frame), false);
    expect([heard, warnings]).toEqual([[[JSON.stringify(frame), false]], []]);
  });

  test.each([
    ['no JSON', '{', false],
    ['binary', JSON.stringify({ type: 'hello' }), true],
    ['of no kind', '{}', false],
    ['without an id', '{"type":"interactive","payload":{}}', false],
    ['without a payload', '{"type":"slash_commands","envelope_id":"e1"}', false],
    ['an event of no kind', JSON.stringify(envelope('events_api')), false],
  ])('that Slack cannot have sent is dropped with a warning: %s', (_what, frame, isBinary) => {
    const { client, heard, warnings } = receiving();
    client.emit('ws_message', frame, isBinary);
    expect([heard.length, warnings.length]).toEqual([0, 1]);
  });
});

test('What Slack cannot have sent is a warning, a bug an error with its stack', () => {
  const lines: unknown[][] = [];
  const log = (level: string) => (line: unknown) => lines.push([level, line]);
  const logger = { warn: log('warn'), error: log('error') } as unknown as Logger;
  logError(new NotADelivery(), logger);
  logError(new TypeError('x is undefined'), logger);
  logError('odd', logger);
  expect(lines).toEqual([
    ['warn', 'refused a delivery that Slack cannot have sent: no kind that the bot handles'],
    ['error', expect.stringMatching(/could not be processed: TypeError: x is undefined\n +at /)],
    ['error', 'a delivery could not be processed: unknown'],
  ]);
});
