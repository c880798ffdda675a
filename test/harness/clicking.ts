import { expect } from 'vitest';
import { optionsOf } from '../stand-ins/slack/blocks/options.ts';
import { record, string } from '../stand-ins/slack/json.ts';
import type { OpenView, VisibleMessage } from '../stand-ins/slack/model.ts';
import { objectsIn } from './message-parts.ts';
import type { Workplace } from './workplace.ts';

/** What a menu of a message offers, in its order: what people read, and what it carries. */
export function choicesOf(
  { blocks }: { readonly blocks: readonly object[] },
  actionId: string,
): Map<string, string> {
  const element = objectsIn(blocks).find(({ action_id }) => action_id === actionId) ?? {};
  return new Map(optionsOf(element).map(({ text, value }) => [string(record(text).text), string(value)]));
}

/** Chooses what begins so in a menu of a message. */
export async function choose(
  { slack }: Workplace,
  message: VisibleMessage,
  actionId: string,
  label: string,
  user = 'ben',
): Promise<void> {
  const choices = choicesOf(message, actionId);
  const [, value] = [...choices].find(([text]) => text.startsWith(label)) ?? [];
  if (value === undefined) throw new Error(`no ${label} in ${[...choices.keys()].join(', ')}`);
  const delivery = await slack.click({ message, actionId, value, user });
  expect(delivery.acknowledged).toBe(true);
}

/** The same message, once it reads so. */
export function reading(
  { slack }: Workplace,
  { channel, ts }: VisibleMessage,
  words: string | RegExp,
  viewer = 'ana',
): Promise<VisibleMessage> {
  return slack.waitFor(
    () => slack.messages(channel, viewer).find((each) => each.ts === ts && each.text.search(words) !== -1),
    `a message with ${words}`,
  );
}

/** What only this person is told, once it reads so. */
export function told(
  { slack }: Workplace,
  channel: string,
  words: string,
  user = 'ben',
): Promise<VisibleMessage> {
  return slack.waitFor(
    () => slack.messages(channel, user).find(({ ephemeral, text }) => ephemeral && text.includes(words)),
    `a private ${words}`,
  );
}

/** The modal that a person has open, once it reads so. */
export function modal({ slack }: Workplace, words: string, user = 'ben'): Promise<OpenView> {
  return slack.waitFor(
    () => slack.modals(user).find(({ view }) => JSON.stringify(view).includes(words)),
    `a modal with ${words}`,
  );
}
