import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Processing, ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { SUPPORT } from './conversation.ts';
import type { World } from './world.ts';

/** The user id of the bot. */
export const BOT = 'U0SNAPSHOT';

/** The two ways by which Slack delivers to the bot. */
export const MODES = ['http', 'socket'] as const;

/** The direct message between Ana and the bot. */
export const DM = 'D0ANABOT';

/** Conversations in which the bot is not a member. */
export const WITHOUT_BOT = {
  'a public channel': 'C0RANDOM',
  'a private channel': 'C0SECRET',
  "two people's DM": 'D0ANABEN',
};

/** A small snapshot with one hit. `processing`: for how long the service first answers 202. */
export function small(processing?: Processing): ShelfEntry {
  const { 1012: entry } = demoShelf();
  if (entry === undefined) throw new Error('the shelf has no small snapshot');
  return { ...entry, ...(processing && { processing }) };
}

/** The bot's messages in a conversation, as one person sees them (default: Ana). */
export function fromBot({ slack }: World, channel = SUPPORT, viewer?: string): VisibleMessage[] {
  return slack.messages(channel, viewer).filter(({ user }) => user === BOT);
}

/** Waits for a message of the bot with this text in a conversation. */
export function reads(
  world: World,
  words: string | RegExp,
  { channel = SUPPORT, viewer }: { channel?: string; viewer?: string } = {},
): Promise<VisibleMessage> {
  return world.slack.waitFor(
    () => fromBot(world, channel, viewer).find(({ text }) => text.search(words) !== -1),
    `a message with ${words} in ${channel}`,
  );
}

/** The Slack methods that the bot called to write something visible, in order. */
export function writes({ slack }: World): string[] {
  return slack.records.calls
    .map(({ method }) => method)
    .filter((method) => /^(?:chat\.(?!getPermalink)|response_url|views\.)/.test(method));
}

/** How many times the bot called this method of Slack. */
export function callsOf({ slack }: World, method: string): number {
  return slack.records.calls.filter((call) => call.method === method).length;
}

/** Waits until the bot has finished the work after its latest message, by waiting for the answer to another lookup. */
export async function settled(world: World): Promise<void> {
  const answers = () => fromBot(world, 'C0WARROOM').filter(({ text }) => text.includes('180 checks'));
  const before = answers().length;
  await world.slack.command({ text: '1002', channel: 'C0WARROOM' });
  await world.slack.waitFor(() => answers()[before], 'the answer to another lookup');
}
