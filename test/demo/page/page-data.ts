import { record, string } from '../../emulators/slack/json.ts';
import type { ShownChannel, ShownMessage } from '../wire.ts';

/** The messages of a conversation, and the replies that are also shown in it. */
export function channelMessages(messages: readonly ShownMessage[], channel: string): ShownMessage[] {
  return messages.filter(
    ({ channel: at, ts, threadTs = ts, extras }) =>
      at === channel && (threadTs === ts || extras?.subtype === 'thread_broadcast'),
  );
}

/** A thread: its first message, then the replies. */
export function threadMessages(
  messages: readonly ShownMessage[],
  channel: string,
  threadTs: string,
): ShownMessage[] {
  return messages.filter(
    (message) => message.channel === channel && (message.ts === threadTs || message.threadTs === threadTs),
  );
}

/** How many messages of other people came after a time, and whether a message mentions this person. */
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

/** The displayed name of a conversation. */
export function titleOf({ name, kind }: ShownChannel): string {
  return kind === 'public' || kind === 'private' ? `#${name}` : name;
}

/** The text of a text object. */
export function labelOf(value: unknown): string {
  return string(record(value).text);
}

/** List items with their index as key, because they have no id. */
export function inOrder<T>(all: readonly T[]): { readonly one: T; readonly key: string }[] {
  return all.map((one, at) => ({ one, key: String(at) }));
}
