import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Processing, ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { SUPPORT } from './conversation.ts';
import type { World } from './world.ts';

/** The bot's own id as a user. */
export const BOT = 'U0SNAPSHOT';

/** Both ways in which Slack reaches a bot. */
export const MODES = ['http', 'socket'] as const;

/** The direct messages between Ana and the bot. */
export const DM = 'D0ANABOT';

/** Conversations that the bot is not a member of. */
export const WITHOUT_BOT = {
  'a public channel': 'C0RANDOM',
  'a private channel': 'C0SECRET',
  "two people's DM": 'D0ANABEN',
};

/** The small snapshot of the shelf, with one hit; processing for so long first, or for ever. */
export function small(processing?: Processing): ShelfEntry {
  const { 1012: entry } = demoShelf();
  if (entry === undefined) throw new Error('the shelf has no small snapshot');
  return { ...entry, ...(processing && { processing }) };
}

/** The bot's messages in a conversation, as somebody (Ana unless given) sees it. */
export function fromBot({ slack }: World, channel = SUPPORT, viewer?: string): VisibleMessage[] {
  return slack.messages(channel, viewer).filter(({ user }) => user === BOT);
}

/** Settles when a message of the bot in a conversation reads so. */
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

/** The methods by which the bot has written something that people see. */
export function writes({ slack }: World): string[] {
  return slack.records.calls
    .map(({ method }) => method)
    .filter((method) => /^(?:chat\.(?!getPermalink)|response_url|views\.)/.test(method));
}

/** How often the bot has called this method of Slack. */
export function callsOf({ slack }: World, method: string): number {
  return slack.records.calls.filter((call) => call.method === method).length;
}

/** Settles when the bot has done what follows on its latest message: it has answered another lookup since. */
export async function settled(world: World): Promise<void> {
  await world.slack.command({ text: '1002', channel: 'C0WARROOM' });
  await reads(world, '180 checks', { channel: 'C0WARROOM' });
}
