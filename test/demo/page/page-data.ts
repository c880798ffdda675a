import { record, string } from '../../emulators/slack/json.ts';
import type { ShownChannel, ShownMessage } from '../wire.ts';

/** The messages of a conversation itself, and the replies in threads that are also shown there. */
export function channelMessages(messages: readonly ShownMessage[], channel: string): ShownMessage[] {
  return messages.filter(
    ({ channel: at, ts, threadTs = ts, extras }) =>
      at === channel && (threadTs === ts || extras?.subtype === 'thread_broadcast'),
  );
}

/** A thread: the message that began it, then the replies. */
export function threadMessages(
  messages: readonly ShownMessage[],
  channel: string,
  threadTs: string,
): ShownMessage[] {
  return messages.filter(
    (message) => message.channel === channel && (message.ts === threadTs || message.threadTs === threadTs),
  );
}

/** How many messages of others came after a moment, and whether one of them mentions this person. */
export function unread(
  messages: readonly ShownMessage[],
  channel: string,
  me: string,
  seenTs: string,
): { readonly count: number; readonly isMentioned: boolean } {
  const news = messages.filter(
    (message) => message.channel === channel && message.user !== me && message.ts > seenTs,
  );
  return { count: news.length, isMentioned: news.some(({ text }) => text.includes(`<@${me}>`)) };
}

/** A conversation's name as people say it. */
export function titleOf({ name, kind }: ShownChannel): string {
  return kind === 'public' || kind === 'private' ? `#${name}` : name;
}

/** What a text object says. */
export function labelOf(value: unknown): string {
  return string(record(value).text);
}

/** Things that have no other key than their place. */
export function inOrder<T>(all: readonly T[]): { readonly one: T; readonly key: string }[] {
  return all.map((one, at) => ({ one, key: String(at) }));
}
