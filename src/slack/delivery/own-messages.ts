import type { webApi } from '@slack/bolt';
import { isRefused } from './slack-errors.ts';

const EVENT_TYPE = 'snapshot_lookup';
/** The most that Slack's clock and the bot's may differ: a clock may step by hours between a post and the search for it. */
const CLOCK_SKEW_MS = 24 * 3_600_000;
/** The page size that Slack recommends (https://docs.slack.dev/reference/methods/conversations.history). */
const PAGE = 200;
/** The most pages that are read: a busy channel can have many messages in that time. */
const MOST_PAGES = 10;

/** A message of the bot. */
export type Posted = { readonly channel: string; readonly ts: string };

/** A conversation, or a person for their direct message with the bot. */
export type Where = {
  readonly channel: string;
  readonly threadTs?: string;
  /** Whether a reply is also shown in the conversation itself. */
  readonly isBroadcast?: true;
};

/** Few look at a thread that is older. */
const OLD_THREAD_MS = 3_600_000;

/** The same place for a word that has to be seen: a thread's age is in its timestamp. */
export function inSight(where: Where, now: number): Where {
  const isOld = now - Number(where.threadTs) * 1_000 > OLD_THREAD_MS;
  return isOld ? { ...where, isBroadcast: true } : where;
}

/** The form of Slack's user ids; those of conversations begin with other letters. */
const PERSON = /^[UW]/;

/** The metadata that marks a message as a lookup's. People do not see it. */
export function metadataOf(lookupId: string) {
  return { event_type: EVENT_TYPE, event_payload: { lookup: lookupId } };
}

/**
 * Finds a message by what `metadataOf` marked it with, posted since `at` (epoch ms). Undefined if it is not there, or if the
 * bot may not read the history: those scopes are optional. Throws what Slack's client throws.
 */
export async function findPost(
  client: webApi.WebClient,
  { channel: where, threadTs: ts }: Where,
  lookupId: string,
  at: number,
): Promise<Posted | undefined> {
  try {
    // A direct message is asked for by an id of its own.
    const isPerson = PERSON.test(where);
    const channel = isPerson ? (await client.conversations.open({ users: where })).channel?.id : where;
    if (channel === undefined) return undefined;
    const oldest = String((at - CLOCK_SKEW_MS) / 1_000);
    const args = { channel, oldest, include_all_metadata: true, limit: PAGE };
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const paged = { ...args, ...(cursor && { cursor }) };
      const { messages = [], response_metadata } =
        ts === undefined
          ? await client.conversations.history(paged)
          : await client.conversations.replies({ ...paged, ts });
      const found = messages.find(({ metadata }) => isMarked(metadata, lookupId));
      if (found?.ts !== undefined) return { channel, ts: found.ts };
      cursor = response_metadata?.next_cursor;
      if (!cursor) return undefined;
    }
    return undefined;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

function isMarked(
  metadata: { event_type?: string; event_payload?: object } | undefined,
  lookupId: string,
): boolean {
  const payload: { readonly lookup?: unknown } = metadata?.event_payload ?? {};
  return metadata?.event_type === EVENT_TYPE && payload.lookup === lookupId;
}
