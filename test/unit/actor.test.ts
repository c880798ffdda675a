import { expect, test } from 'vitest';
import { isClick } from '../../src/slack/access/actor.ts';
import { actorOf } from '../../src/slack/access/read-actor.ts';

const PERSON = { user: { id: 'U1', team_id: 'T2' }, team: { id: 'T1' }, trigger_id: '1.2' };
const told = (event: object, envelope: object = {}) =>
  actorOf({
    team_id: 'T1',
    ...envelope,
    event: { type: 'app_mention', user: 'U1', channel: 'C1', ...event },
  });

test('A person belongs to the workspace that Slack names for the person, not to that of the channel', () => {
  expect(actorOf({ type: 'block_actions', ...PERSON })?.team).toBe('T2');
  expect(actorOf({ type: 'block_actions', ...PERSON, user: { id: 'U1' } })?.team).toBeUndefined();
  expect(told({ team: 'T3' })?.team).toBe('T3');
  expect(told({ team: 'T3', user_team: 'T4', source_team: 'T5' })?.team).toBe('T4');
  expect(told({ team: 'T3', source_team: 'T5' })?.team).toBe('T5');
  expect(told({})?.team).toBeUndefined();
});

test('Where Slack leaves the workspace out because of a file, it is that of the sender’s own file', () => {
  const files = [{ user: 'U2', user_team: 'T2' }, { user: 'U1', user_team: 'T1' }, {}];
  expect(told({ files })?.team).toBe('T1');
  expect(told({ files: files.slice(0, 1) })?.team).toBeUndefined();
  expect(told({ files, team: 'T3' })?.team).toBe('T3');
});

test('An edited message is from whoever wrote it', () => {
  const message = { user: 'U2', team: 'T2', text: '1012', ts: '1.1' };
  const edit = { type: 'message', subtype: 'message_changed', user: undefined, message };
  expect(told(edit)).toMatchObject({ user: 'U2', team: 'T2', channels: ['C1'] });
  expect(told({ ...edit, message: { ...message, bot_id: 'B1' } })).toBeUndefined();
  expect(told({ ...edit, subtype: 'message_deleted' })).toBeUndefined();
});

test('A message is from a person in each form that people write it in, and no notice of Slack is', () => {
  const written = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
  for (const subtype of written) expect(told({ type: 'message', subtype })).toMatchObject({ user: 'U1' });
  for (const subtype of ['channel_join', 'message_deleted', 'message_replied']) {
    expect(told({ type: 'message', subtype })).toBeUndefined();
  }
});

test('A Home tab is opened in the workspace of the bot, and is in no conversation', () => {
  expect(told({ type: 'app_home_opened', channel: 'D1' })).toMatchObject({ team: 'T1', channels: [] });
});

test('Whether a channel is shared is taken from the event, and unknown without it', () => {
  expect(told({ team: 'T1' }, { is_ext_shared_channel: true })?.isShared).toBe(true);
  expect(told({ team: 'T1' }, { is_ext_shared_channel: false })?.isShared).toBe(false);
  expect(told({ team: 'T1' })?.isShared).toBeUndefined();
});

test.each([
  ['a bot by its id', { bot_id: 'B1' }],
  ['a bot by the kind of message', { subtype: 'bot_message' }],
  ['Slackbot', { user: 'USLACKBOT' }],
])('%s is no actor', (_what, event) => {
  expect(told({ team: 'T1', ...event })).toBeUndefined();
});

test('The channels of a submission are all those that it could post into', () => {
  const values = { where: { where: { selected_conversation: 'C4' } } };
  const view = { id: 'V1', type: 'modal', private_metadata: '{"channel":"C3"}', state: { values } };
  const body = { type: 'view_submission', ...PERSON, view, response_urls: [{ channel_id: 'C5' }] };
  expect(actorOf(body)?.channels).toEqual(['C3', 'C5', 'C4']);
});

test('An action on what the bot has shown is a click; a shortcut, a command and a submission are none', () => {
  const kindOf = (body: object) => {
    const actor = actorOf(body);
    return actor && isClick(actor);
  };
  const view = (type: string) => ({ id: 'V1', type });
  expect(kindOf({ type: 'block_actions', ...PERSON })).toBe(true);
  expect(kindOf({ type: 'block_actions', ...PERSON, view: view('modal') })).toBe(true);
  expect(kindOf({ type: 'block_actions', ...PERSON, view: view('home') })).toBe(true);
  expect(kindOf({ type: 'message_action', ...PERSON })).toBe(false);
  expect(kindOf({ type: 'shortcut', ...PERSON })).toBe(false);
  expect(kindOf({ type: 'view_submission', ...PERSON, view: view('modal') })).toBe(false);
});

test('A body that names no person is no delivery, and what is refused says where', () => {
  for (const body of [null, undefined, 5, 'text', [], {}, { type: 'block_actions' }]) {
    expect(() => actorOf(body)).toThrow(/cannot have sent: delivery\./);
  }
  for (const type of ['app_mention', 'message', 'app_home_opened']) {
    expect(() => told({ type, user: 'no id' })).toThrow(`cannot have sent: ${type}.event.user`);
  }
  expect(told({ type: 'user_change', user: { id: 'U1' } })).toBeUndefined();
  expect(actorOf({ event: { type: 'app_uninstalled' } })).toBeUndefined();
});

test('The kind of a delivery tells how a refusal is answered', () => {
  const entryPointOf = (body: object) => actorOf(body)?.entryPoint;
  const command = { command: '/snapshot', user_id: 'U1', team_id: 'T1', channel_id: 'C1' };
  const response_url = 'https://hooks.slack.com/1';
  expect(actorOf({ ...command, response_url })).toEqual({
    entryPoint: { kind: 'command', responseUrl: 'https://hooks.slack.com/1' },
    user: 'U1',
    team: 'T1',
    channels: ['C1'],
  });
  expect(told({ text: 'hit', thread_ts: '0.5' })).toMatchObject({
    entryPoint: { kind: 'mention', text: 'hit', threadTs: '0.5' },
    user: 'U1',
    channels: ['C1'],
  });
  expect(told({})?.entryPoint).toEqual({ kind: 'mention', text: '', threadTs: undefined });
  expect(told({ type: 'message' })?.entryPoint).toEqual({ kind: 'direct-message', threadTs: undefined });
  expect(told({ type: 'message', thread_ts: '0.5' })?.entryPoint).toEqual({
    ...{ kind: 'direct-message', threadTs: '0.5' },
  });
  expect(told({ type: 'app_home_opened' })?.entryPoint).toEqual({ kind: 'home-opened' });
  const click = { type: 'block_actions', ...PERSON, response_url: 'https://hooks.slack.test/x' };
  const clicked = { kind: 'message-click', responseUrl: 'https://hooks.slack.test/x', isShortcut: false };
  expect(entryPointOf(click)).toEqual({ ...clicked, threadTs: undefined });
  const [container, message] = [{ thread_ts: '0.5' }, { thread_ts: '0.7' }];
  expect(entryPointOf({ ...click, container, message })).toEqual({ ...clicked, threadTs: '0.5' });
  expect(entryPointOf({ ...click, message })).toEqual({ ...clicked, threadTs: '0.7' });
  // The first message of a thread stands in the channel: who clicks it there would not see a notice in the thread.
  const first = {
    container: { thread_ts: '0.5', message_ts: '0.5' },
    message: { ts: '0.5', thread_ts: '0.5' },
  };
  expect(entryPointOf({ ...click, ...first })).toEqual({ ...clicked, threadTs: undefined });
  expect(entryPointOf({ ...click, message: first.message })).toEqual({ ...clicked, threadTs: undefined });
  expect(entryPointOf({ ...click, type: 'message_action' })).toMatchObject({ isShortcut: true });
  expect(entryPointOf({ ...click, response_url: undefined })).toMatchObject({ responseUrl: '' });
  const view = (type: string) => ({ ...PERSON, type: 'block_actions', view: { id: 'V1', type } });
  expect(entryPointOf(view('home'))).toEqual({ kind: 'home-click' });
  expect(entryPointOf(view('modal'))).toEqual({ kind: 'modal-click', viewId: 'V1' });
  expect(entryPointOf({ ...view('modal'), type: 'view_submission' })).toEqual({
    kind: 'submission',
    viewId: 'V1',
  });
  expect(entryPointOf({ ...PERSON, type: 'shortcut' })).toEqual({ kind: 'shortcut', triggerId: '1.2' });
});

test('A click names its conversations, each once', () => {
  const body = { type: 'block_actions', ...PERSON, channel: { id: 'C1' } };
  const channelsOf = (changes: object) => actorOf({ ...body, ...changes })?.channels;
  expect(channelsOf({ container: { channel_id: 'C1' } })).toEqual(['C1']);
  expect(channelsOf({ container: { channel_id: 'C2' } })).toEqual(['C1', 'C2']);
  expect(channelsOf({ channel: undefined })).toEqual([]);
  expect(actorOf(body)?.user).toBe('U1');
});
