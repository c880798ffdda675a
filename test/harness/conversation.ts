import { test as base, expect } from 'vitest';
import { records, string } from '../stand-ins/slack/json.ts';
import type { VisibleMessage } from '../stand-ins/slack/model.ts';
import { openWorkplace, type Workplace, type WorkplaceOptions } from './workplace.ts';

/** A public channel that the bot is in. */
export const SUPPORT = 'C0SUPPORT';
const BOT = 'U0SNAPSHOT';
const WAITING = /is still being processed|could not be read yet/;

type Open = (options?: WorkplaceOptions) => Promise<Workplace>;

/**
 * A test that can open workplaces; they are closed after it. Whatever it is about, the service must see no breach of
 * its specification, Slack no message that it would refuse, and nobody follows a redirect to the login page.
 */
export const test = base.extend<{ open: Open }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture depends on.
  open: async ({}, use) => {
    const opened: Workplace[] = [];
    await use(async (options) => {
      const workplace = await openWorkplace(options);
      opened.push(workplace);
      return workplace;
    });
    await Promise.all(opened.map((each) => each.close()));
    for (const { slack, service } of opened) {
      expect(service.records.breaches).toEqual([]);
      expect(service.records.loginPageViews).toBe(0);
      expect(slack.records.breaches).toEqual([]);
    }
  },
});

/** The bot's messages in a channel that end a lookup. */
export function finals({ slack }: Workplace, channel = SUPPORT): VisibleMessage[] {
  return fromBot(slack.messages(channel)).filter(({ text }) => !WAITING.test(text));
}

/** The bot's messages in a channel that say that something is awaited. */
export function waits({ slack }: Workplace, channel = SUPPORT): VisibleMessage[] {
  return fromBot(slack.messages(channel)).filter(({ text }) => WAITING.test(text));
}

function fromBot(messages: readonly VisibleMessage[]): VisibleMessage[] {
  return messages.filter(({ user }) => user === BOT);
}

/** Settles when so many lookups have ended. */
export function ended(workplace: Workplace, count: number, channel = SUPPORT): Promise<VisibleMessage[]> {
  return workplace.slack.waitFor(() => {
    const found = finals(workplace, channel);
    return found.length >= count ? found : undefined;
  }, `${count} lookup(s) to end`);
}

/** Settles when a message of the bot reads so. */
export function shown(workplace: Workplace, words: string | RegExp): Promise<VisibleMessage> {
  return workplace.slack.waitFor(
    () => fromBot(workplace.slack.messages(SUPPORT)).find(({ text }) => text.search(words) !== -1),
    `a message with ${words}`,
  );
}

/** Types a command, and gives the message that ends its lookup. */
export async function ask(workplace: Workplace, text: string, user = 'ana'): Promise<VisibleMessage> {
  const before = finals(workplace).length;
  await workplace.slack.command({ text, user, channel: SUPPORT });
  const last = (await ended(workplace, before + 1)).at(-1);
  if (last === undefined) throw new Error('no message');
  return last;
}

/** Types a command, and gives the message that says what goes wrong with it for now. */
export async function stumble(workplace: Workplace, snapshotId: string): Promise<VisibleMessage> {
  await workplace.slack.command({ text: snapshotId, user: 'ana', channel: SUPPORT });
  return shown(workplace, `Snapshot ${snapshotId} could not be read yet\\.`);
}

/** How much had reached the service when Slack was first told these words. */
export function reachedBy(
  { slack, service }: Workplace,
  words: string,
): { requests: number; logins: number } {
  const told = slack.records.calls.find(({ args }) => string(args.text).includes(words))?.at ?? 0;
  const count = (records: readonly { arrivedAt: number }[]) =>
    records.filter(({ arrivedAt }) => arrivedAt <= told).length;
  return { requests: count(service.records.requests), logins: count(service.records.logins) };
}

/** Types so many commands at once, and gives the messages that end them. */
export async function askTogether(
  workplace: Workplace,
  count: number,
  textOf: (index: number) => string,
): Promise<VisibleMessage[]> {
  const before = finals(workplace).length;
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      workplace.slack.command({
        text: textOf(index),
        user: index % 2 === 0 ? 'ana' : 'ben',
        channel: SUPPORT,
      }),
    ),
  );
  return (await ended(workplace, before + count)).slice(before);
}

/** The ids of the actions that a message offers. */
export function offers({ blocks }: VisibleMessage): string[] {
  return blocks
    .flatMap(({ elements }) => records(elements))
    .map(({ action_id }) => string(action_id))
    .filter((id) => id !== '');
}
