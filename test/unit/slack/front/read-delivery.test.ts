import { describe, expect, test } from 'vitest';
import { NotADelivery } from '../../../../src/slack/front/delivery.ts';
import { readDelivery } from '../../../../src/slack/front/read-delivery.ts';

const COMMAND = { command: '/snapshot', user_id: 'U1', channel_id: 'C1', trigger_id: 't', text: '' };
const BUTTON = { type: 'button', action_id: 'details', block_id: 'b', value: 'v' };
const MENU = { ...BUTTON, type: 'overflow', selected_option: { value: 'csv' } };
const VIEW = { id: 'V1', type: 'modal', callback_id: 'look-up', private_metadata: '', blocks: [] };
const VALUES = { where: { where: { type: 'conversations_select', selected_conversation: 'C4' } } };
const who = { user: { id: 'U1', team_id: 'T2' }, team: { id: 'T1' }, trigger_id: 't' };
const CLICK = {
  ...{ type: 'block_actions', ...who, channel: { id: 'C1' }, actions: [BUTTON] },
  container: { type: 'message', channel_id: 'C1', message_ts: '1.1', thread_ts: '1.1' },
  message: { ts: '1.1' },
};
const IN_MODAL = {
  ...CLICK,
  channel: undefined,
  message: undefined,
  container: { type: 'view' },
  view: VIEW,
};
const SUBMISSION = { type: 'view_submission', ...who, view: { ...VIEW, state: { values: VALUES } } };
const SHORTCUT = { type: 'shortcut', ...who, callback_id: 'look-up-snapshot' };
const MESSAGE = {
  ...{ ...SHORTCUT, type: 'message_action', channel: { id: 'C1' }, message: { text: '1012' } },
  ...{ message_ts: '1.1', response_url: 'https://hooks.slack.test/1' },
};
const event = (changes: object, envelope: object = {}) => ({
  ...{ type: 'event_callback', team_id: 'T1', ...envelope },
  event: { type: 'app_mention', user: 'U1', channel: 'C1', ...changes },
});

/** Who sends it, as it is read. */
const actorOf = (body: object) => readDelivery(structuredClone(body)).actor;
const told = (changes: object, envelope?: object) => actorOf(event(changes, envelope));
const submitted = (values: object) => ({ ...SUBMISSION, view: { ...VIEW, state: { values } } });

function isTaken(body: unknown): boolean {
  try {
    readDelivery(body);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(NotADelivery);
    return false;
  }
}

const URL = 'https://hooks.slack.test/x';
const CLICKED = { kind: 'message-click', responseUrl: '', threadTs: undefined, isShortcut: false };

test.each([
  ['a command', { ...COMMAND, response_url: URL }, '/snapshot', { kind: 'command', responseUrl: URL }],
  [
    'a mention',
    event({ text: 'x', thread_ts: '1' }),
    'app_mention',
    { kind: 'mention', text: 'x', threadTs: '1' },
  ],
  ['a direct text', event({ type: 'message' }), 'message', { kind: 'direct-message', threadTs: undefined }],
  [
    'its reply',
    event({ type: 'message', thread_ts: '1' }),
    'message',
    { kind: 'direct-message', threadTs: '1' },
  ],
  ['an open Home tab', event({ type: 'app_home_opened' }), 'app_home_opened', { kind: 'home-opened' }],
  ['a click', CLICK, 'details', CLICKED],
  ['a choice', { ...CLICK, actions: [MENU] }, 'details', CLICKED],
  ['a click in a modal', IN_MODAL, 'details', { kind: 'modal-click', viewId: 'V1' }],
  ['a click on Home', { ...IN_MODAL, view: { ...VIEW, type: 'home' } }, 'details', { kind: 'home-click' }],
  ['a form', SUBMISSION, 'look-up', { kind: 'submission', viewId: 'V1' }],
  ['an empty one', submitted({ a: { a: { value: null } } }), 'look-up', { kind: 'submission', viewId: 'V1' }],
  ['a shortcut', SHORTCUT, 'look-up-snapshot', { kind: 'shortcut', triggerId: 't' }],
  [
    'a shortcut on a message',
    MESSAGE,
    'look-up-snapshot',
    { ...CLICKED, responseUrl: URL.replace('x', '1'), isShortcut: true },
  ],
])('%s is taken, with how its sender is answered', (_what, body, name, entryPoint) => {
  const { kind, ...read } = readDelivery(structuredClone(body));
  expect(read).toMatchObject({ name, actor: { entryPoint, user: 'U1' } });
  expect(kind).toBe('command' in body ? 'command' : 'type' in body && body.type);
});

test.each([
  ['by its container', { container: { ...CLICK.container, thread_ts: '0.5' } }, '0.5'],
  ['by its message', { container: { type: 'message' }, message: { ts: '1.1', thread_ts: '0.7' } }, '0.7'],
  // The first message of a thread stands in the channel: who clicks it there would not see a notice in the thread.
  ['no reply', { message: { ts: '1.1', thread_ts: '1.1' } }, undefined],
])('The thread of a clicked message is known %s', (_how, changes, threadTs) => {
  expect(actorOf({ ...CLICK, ...changes })?.entryPoint).toMatchObject({ threadTs });
});

describe('A person belongs to the workspace that Slack names', () => {
  test('for the person, not to that of the channel', () => {
    expect(actorOf(CLICK)?.team).toBe('T2');
    expect(actorOf({ ...CLICK, user: { id: 'U1' } })?.team).toBeUndefined();
    expect(told({ team: 'T3' })?.team).toBe('T3');
    expect(told({ team: 'T3', user_team: 'T4', source_team: 'T5' })?.team).toBe('T4');
    expect(told({ team: 'T3', source_team: 'T5' })?.team).toBe('T5');
    expect(told({})?.team).toBeUndefined();
    expect(told({ type: 'app_home_opened', channel: 'D1' })).toMatchObject({ team: 'T1', channels: [] });
  });

  test('for the sender’s own file, where it leaves out all else', () => {
    const files = [{ user: 'U2', user_team: 'T2' }, { user: 'U1', user_team: 'T1' }, {}];
    expect(told({ files })?.team).toBe('T1');
    expect(told({ files: files.slice(0, 1) })?.team).toBeUndefined();
    expect(told({ files, team: 'T3' })?.team).toBe('T3');
  });
});

test('An edited message is from whoever wrote it', () => {
  const message = { user: 'U2', team: 'T2', text: '1012', ts: '1.1' };
  const edit = { type: 'message', subtype: 'message_changed', user: undefined, message };
  expect(told(edit)).toMatchObject({ user: 'U2', team: 'T2', channels: ['C1'] });
  expect(told({ ...edit, message: { ...message, bot_id: 'B1' } })).toBeUndefined();
  expect(told({ ...edit, subtype: 'message_deleted' })).toBeUndefined();
});

test('A message is from a person in each form that people write it in; no notice of Slack and no bot is', () => {
  for (const subtype of [undefined, 'file_share', 'thread_broadcast', 'me_message'])
    expect(told({ type: 'message', subtype })).toMatchObject({ user: 'U1' });
  const notices = ['channel_join', 'message_deleted', 'message_replied'].map((subtype) => ({ subtype }));
  for (const other of [...notices, { bot_id: 'B1' }, { subtype: 'bot_message' }, { user: 'USLACKBOT' }])
    expect(told({ type: 'message', ...other })).toBeUndefined();
  expect(told({ type: 'user_change', user: { id: 'U1' } })).toBeUndefined();
});

test.each([true, false, undefined])('Whether a channel is shared is taken from the event: %s', (isShared) => {
  expect(told({ team: 'T1' }, { is_ext_shared_channel: isShared })?.isShared).toBe(isShared);
});

const LINKS = ['1', '2', '1', '2001?tab=', '3', '4', '5', '6'].map((id) => ({
  url: `https://s.test/${id}001`,
}));
const PASTED = { type: 'link_shared', message_ts: '1.1', is_bot_user_member: false, links: LINKS };

test('Of a message with links five are taken, one of each snapshot; who pasted them is found out elsewhere', () => {
  expect(told(PASTED, { is_ext_shared_channel: false })).toEqual({
    entryPoint: {
      kind: 'link',
      links: ['1001', '2001', '3001', '4001', '5001'].map((id) => ({
        url: `https://s.test/${id}`,
        snapshotId: id,
      })),
    },
    ...{ user: 'U1', team: undefined, channels: ['C1'], isShared: false },
  });
});

test.each([
  ['C1', false, false],
  ['C1', undefined, undefined],
  ['D1', undefined, true],
  ['D1', true, true],
])('Links in %s, where Slack says %s: shared is %s', (channel, is_ext_shared_channel, isShared) => {
  expect(told({ ...PASTED, channel }, { is_ext_shared_channel })?.isShared).toBe(isShared);
});

test.each([
  ['no snapshot', { links: [{ url: 'https://s.test/help' }] }],
  ['an app', { bot_id: 'B1' }],
  ['no user', { user: 'B1' }],
  ['a draft', { channel: 'COMPOSER' }],
  ['the conversation with the bot', { channel: 'D1', is_bot_user_member: true }],
])('Links are of nobody: %s', (_what, changes) => {
  expect(told({ ...PASTED, ...changes })).toBeUndefined();
});

test('The conversations of a delivery are all those that it reads from or could post to, each once', () => {
  const view = { ...SUBMISSION.view, private_metadata: '{"channel":"C3"}' };
  const body = { ...SUBMISSION, view, response_urls: [{ channel_id: 'C5' }] };
  expect(actorOf(body)?.channels).toEqual(['C3', 'C5', 'C4']);
  expect(actorOf(CLICK)?.channels).toEqual(['C1']);
  expect(actorOf({ ...CLICK, channel: undefined, container: { type: 'message' } })?.channels).toEqual([]);
});

test('A refusal says which field it is about, and nothing of what somebody wrote', () => {
  const refusalOf = (body: object) => () => readDelivery(structuredClone(body));
  expect(refusalOf(submitted({ 'my secret': { a: { selected_conversation: 'no id' } } }))).toThrow(
    /^refused a delivery .* sent: view_submission\.view\.state$/,
  );
  for (const type of ['app_mention', 'message', 'app_home_opened'])
    expect(refusalOf(event({ type, user: 'no id' }))).toThrow(`cannot have sent: ${type}.user`);
});

const without = (body: Record<string, unknown>, name: string) => ({ ...body, [name]: undefined });
const lacking = (what: string, body: Record<string, unknown>, ...names: string[]) =>
  names.map((name): [string, object] => [`${name} of ${what}`, without(body, name)]);

describe('What a listener relies on must be there:', () => {
  test.each([
    ...lacking('a command', COMMAND, 'user_id', 'channel_id', 'trigger_id', 'text'),
    ...lacking('a click', CLICK, 'user', 'trigger_id', 'container', 'actions', 'message'),
    ...lacking('a form', SUBMISSION, 'user', 'trigger_id', 'view'),
    ...lacking('a shortcut on a message', MESSAGE, 'channel', 'message', 'message_ts', 'response_url'),
    ...lacking('a shortcut', SHORTCUT, 'callback_id'),
    ['an action', { ...CLICK, actions: [] }],
    ['one that is an object', { ...CLICK, actions: [BUTTON, 'more'] }],
    ['the choice in a menu', { ...CLICK, actions: [without(MENU, 'selected_option')] }],
    ['the choice in a select', { ...CLICK, actions: [{ ...BUTTON, type: 'static_select' }] }],
    ['the name of an action', { ...CLICK, actions: [{ ...BUTTON, action_id: '' }] }],
    ['the id of a view', { ...SUBMISSION, view: without(SUBMISSION.view, 'id') }],
    ['the state of a form', { ...SUBMISSION, view: VIEW }],
    ['the blocks of a form', { ...SUBMISSION, view: without(SUBMISSION.view, 'blocks') }],
    ...[undefined, {}, 'text', ['text'], [null]].map((elements): [string, object] => [
      `controls of a message that are a list of objects, not ${JSON.stringify(elements)}`,
      { ...CLICK, message: { ts: '1.1', blocks: [{ type: 'actions', elements }] } },
    ]),
    ['a text of a message that is text', { ...CLICK, message: { ts: '1.1', text: {} } }],
    ['the person of an event about one', event({ type: 'user_change', user: undefined })],
    ['the tokens of an event about some', event({ type: 'tokens_revoked' })],
    ['the group of an event about one', event({ type: 'subteam_members_changed' })],
    ['the kind of an event', event({ type: '' })],
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
    ['a chosen conversation', submitted({ a: { a: { selected_conversation: 'c1' } } })],
    ['a trigger', { ...COMMAND, trigger_id: 't'.repeat(256) }],
    ...[null, undefined, 5, 'text', [], {}].map((body): [string, unknown] => ['a body', body]),
    // Nothing that the bot shows sends these.
    ...['view_closed', 'block_suggestion', 'interactive_message', 'dialog_submission', 'toString'].map(
      (type): [string, unknown] => ['a kind', { ...CLICK, type }],
    ),
  ])('%s', (_what, body) => {
    expect(isTaken(body)).toBe(false);
  });
});
