import { afterEach, beforeEach, expect, test } from 'vitest';
import { plain } from './blocks/samples.ts';
import type { Json } from './json.ts';
import { type BareBot, startBareBot } from './testing/bare-bot.ts';

let bareBot: BareBot;
beforeEach(async () => {
  bareBot = await startBareBot();
});
afterEach(() => bareBot.close());

const actions = (...elements: Json[]) => ({ type: 'actions', elements });

async function posted(...blocks: Json[]) {
  const answer = await bareBot.call('chat.postMessage', { channel: 'C0SUPPORT', text: 'a', blocks });
  expect(answer).toMatchObject({ ok: true });
  const message = bareBot.slack.messages('support').at(-1);
  if (!message) throw new Error('no message');
  return message;
}

const button = (value: string) => ({ type: 'button', action_id: 'go', text: plain('Go'), value });

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
