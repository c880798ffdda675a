import { afterEach, beforeEach, expect, test } from 'vitest';
import { plain } from './blocks/samples.ts';
import type { Json } from './json.ts';
import { type BareBot, startBareBot } from './testing/bare-bot.ts';

let bareBot: BareBot;
beforeEach(async () => {
  bareBot = await startBareBot();
});
afterEach(() => bareBot.close());

const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const actions = (...elements: Json[]) => ({ type: 'actions', elements });

async function posted(...blocks: Json[]) {
  const answer = await bareBot.call('chat.postMessage', { channel: 'C0SUPPORT', text: 'a', blocks });
  expect(answer).toMatchObject({ ok: true });
  const message = bareBot.slack.messages('support').at(-1);
  if (!message) throw new Error('no message');
  return message;
}

const button = (value: string) => ({ type: 'button', action_id: 'go', text: plain('Go'), value });

test('a button of several with the same id is chosen by its value', async () => {
  const message = await posted(actions(button('1')), actions(button('2')));
  const { payload } = await bareBot.slack.click({ message, actionId: 'go', value: '2', user: 'ben' });
  expect(payload).toMatchObject({
    type: 'block_actions',
    user: { id: 'U0BEN', name: 'ben', team_id: 'T0HOME' },
    container: { type: 'message', message_ts: message.ts, channel_id: 'C0SUPPORT', is_ephemeral: false },
    channel: { id: 'C0SUPPORT', name: 'support' },
    message: {
      ts: message.ts,
      text: 'a',
      bot_id: 'B0SNAPSHOT',
      blocks: [{ type: 'actions' }, { type: 'actions' }],
    },
    actions: [{ action_id: 'go', value: '2', type: 'button', text: plain('Go') }],
    response_url: expect.stringContaining('/actions/'),
    trigger_id: expect.any(String),
  });
});

test.each([
  {
    element: { type: 'static_select', options: [option('a'), option('b')] },
    value: 'b',
    action: { selected_option: option('b') },
  },
  {
    element: { type: 'static_select', option_groups: [{ label: plain('g'), options: [option('a')] }] },
    value: 'a',
    action: { selected_option: option('a') },
  },
  {
    element: { type: 'overflow', options: [option('a')] },
    value: 'a',
    action: { selected_option: option('a') },
  },
  { element: { type: 'users_select' }, value: 'U0BEN', action: { selected_user: 'U0BEN' } },
  { element: { type: 'channels_select' }, value: 'C0RANDOM', action: { selected_channel: 'C0RANDOM' } },
  {
    element: { type: 'conversations_select' },
    value: 'C0RANDOM',
    action: { selected_conversation: 'C0RANDOM' },
  },
  {
    element: { type: 'checkboxes', options: [option('a')] },
    value: 'a',
    action: { selected_options: [option('a')] },
  },
  {
    element: { type: 'radio_buttons', options: [option('a')] },
    value: 'a',
    action: { selected_option: option('a') },
  },
  { element: { type: 'datepicker' }, value: '2026-11-20', action: { selected_date: '2026-11-20' } },
])('using $element.type sends what was chosen', async ({ element, value, action }) => {
  const message = await posted(actions({ ...element, action_id: 'pick' }));
  const { payload } = await bareBot.slack.click({ message, actionId: 'pick', value });
  expect(payload.actions).toMatchObject([{ type: element.type, action_id: 'pick', ...action }]);
  if (element.type !== 'overflow')
    expect(payload.state).toMatchObject({ values: { 'auto-0': { pick: action } } });
});

test("an element that is absent, or that the person does not see, can't be clicked", async () => {
  const message = await posted(actions(button('1')));
  await expect(bareBot.slack.click({ message, actionId: 'stop' })).rejects.toThrow(
    'no element stop. There is: go (1)',
  );
  await expect(bareBot.slack.click({ message, actionId: 'go', value: '2' })).rejects.toThrow(
    'no element go with "2"',
  );
  await expect(bareBot.slack.click({ message, actionId: 'go', user: 'guest' })).rejects.toThrow(
    'does not see',
  );
  bareBot.slack.remove(message);
  await expect(bareBot.slack.click({ message, actionId: 'go' })).rejects.toThrow('does not see');
  expect(bareBot.received).toEqual([]);
});

test('a member of another company can click in a shared channel, and the payload names that company', async () => {
  await bareBot.call('chat.postMessage', {
    channel: 'C0PARTNERS',
    text: 'a',
    blocks: [actions(button('1'))],
  });
  const [message] = bareBot.slack.messages('partners', 'guest');
  if (!message) throw new Error('no message');
  const { payload } = await bareBot.slack.click({ message, actionId: 'go', user: 'guest' });
  expect(payload.user).toMatchObject({ id: 'U0GUEST', team_id: 'T0OTHER' });
});
