import { expect } from 'vitest';
import { optionsOf } from '../emulators/slack/blocks/elements.ts';
import { record, string } from '../emulators/slack/json.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { objectsIn } from './message-parts.ts';
import type { World } from './world.ts';

/** The options of a message's menu in order: the label and the value of each. */
export function choicesOf(
  { blocks }: { readonly blocks: readonly object[] },
  actionId: string,
): Map<string, string> {
  const element = objectsIn(blocks).find(({ action_id }) => action_id === actionId) ?? {};
  return new Map(optionsOf(element).map(({ text, value }) => [string(record(text).text), string(value)]));
}

/**
 * Chooses the option of a message's menu that begins with this text. By default Ana, the asker, chooses on public
 * messages, and Ben on his private ones.
 */
export async function choose(
  { slack }: World,
  message: VisibleMessage,
  actionId: string,
  label: string,
  user = actionId === 'more' ? 'ben' : 'ana',
): Promise<void> {
  const choices = choicesOf(message, actionId);
  const [, value] = [...choices].find(([text]) => text.startsWith(label)) ?? [];
  if (value === undefined) throw new Error(`no ${label} in ${[...choices.keys()].join(', ')}`);
  const delivery = await slack.click({ message, actionId, value, user });
  expect(delivery.acknowledged).toBe(true);
}

/** Waits until the text of this message matches, and returns the message. */
export function reading(
  { slack }: World,
  { channel, ts }: VisibleMessage,
  words: string | RegExp,
  viewer = 'ana',
): Promise<VisibleMessage> {
  return slack.waitFor(
    () => slack.messages(channel, viewer).find((each) => each.ts === ts && each.text.search(words) !== -1),
    `a message with ${words}`,
  );
}

/** Waits for a private message to this person whose text matches. */
export function told(
  { slack }: World,
  channel: string,
  words: string,
  user = 'ben',
): Promise<VisibleMessage> {
  return slack.waitFor(
    () => slack.messages(channel, user).find(({ ephemeral, text }) => ephemeral && text.includes(words)),
    `a private ${words}`,
  );
}

/** Waits for an open window of this person that contains these words. */
export function modal({ slack }: World, words: string, user = 'ben'): Promise<OpenView> {
  return slack.waitFor(
    () => slack.modals(user).find(({ view }) => JSON.stringify(view).includes(words)),
    `a modal with ${words}`,
  );
}

/** Chooses from the menu “⋯” of a message, by default as a person who did not ask. */
export function chooseMore(
  world: World,
  message: VisibleMessage,
  label: string,
  user = 'ben',
): Promise<void> {
  return choose(world, message, 'more', label, user);
}
