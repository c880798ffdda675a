import type { webApi } from '@slack/bolt';
import type { Unconfirmed } from '../../core/lookup.ts';
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
export type Where = { readonly channel: string; readonly threadTs?: string };

/** The form of Slack's user ids; those of conversations begin with other letters. */
const PERSON = /^[UW]/;

/** The metadata that marks a message as a lookup's. People do not see it. */
export function metadataOf(lookupId: string) {
  return { event_type: EVENT_TYPE, event_payload: { lookup: lookupId } };
}

/**
 * Finds the message with a lookup's id after a post whose confirmation was lost. Undefined if it is not there, or if
 * the bot may not read the history (those scopes are optional); then it is posted again. Throws what Slack's client
 * throws.
 */
export async function findPost(
  client: webApi.WebClient,
  where: Where,
  lookupId: string,
  { at }: Unconfirmed,
): Promise<Posted | undefined> {
  const { threadTs: ts } = where;
  const window = { oldest: String((at - CLOCK_SKEW_MS) / 1_000), include_all_metadata: true, limit: PAGE };
  try {
    // A direct message is asked for by an id of its own.
    const isPerson = PERSON.test(where.channel);
    const opened = isPerson ? await client.conversations.open({ users: where.channel }) : undefined;
    const channel = isPerson ? opened?.channel?.id : where.channel;
    if (channel === undefined) return undefined;
    const args = { channel, ...window };
    const read = (cursor: object) =>
      ts === undefined
        ? client.conversations.history({ ...args, ...cursor })
        : client.conversations.replies({ ...args, ...cursor, ts });
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { messages = [], response_metadata } = await read(cursor === undefined ? {} : { cursor });
      const found = messages.find(({ metadata }) => hasMetadata(metadata, lookupId));
      cursor = response_metadata?.next_cursor;
      if (found?.ts !== undefined) return { channel, ts: found.ts };
      if (!cursor) return undefined;
    }
    return undefined;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

type Metadata = { event_type?: string; event_payload?: object } | undefined;

function hasMetadata(metadata: Metadata, lookupId: string): boolean {
  const payload = metadata?.event_payload ?? {};
  return metadata?.event_type === EVENT_TYPE && 'lookup' in payload && payload.lookup === lookupId;
}
