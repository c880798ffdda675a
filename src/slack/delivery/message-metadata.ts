import type { webApi } from '@slack/bolt';
import type { Unconfirmed } from '../../core/destination.ts';
import { isRefused } from './slack-errors.ts';

const EVENT_TYPE = 'snapshot_lookup';
/** The most that Slack's clock and the bot's may differ: a clock may step by hours between a post and the search for it. */
const CLOCK_SKEW_MS = 24 * 3_600_000;
/** The page size that Slack recommends (https://docs.slack.dev/reference/methods/conversations.history). */
const PAGE = 200;
/** The most pages that are read: a busy channel can have many messages in that time. */
const MOST_PAGES = 10;

/** The metadata that marks a message as a lookup's. People do not see it. */
export function metadataOf(lookupId: string) {
  return { event_type: EVENT_TYPE, event_payload: { lookup: lookupId } };
}

/**
 * Finds the message with a lookup's id after a post whose confirmation was lost. Undefined if it is not there, or if
 * the bot may not read the history (those scopes are optional); then it is posted again. Throws what Slack's client
 * throws.
 */
export async function findByMetadata(
  client: webApi.WebClient,
  where: { readonly channel: string; readonly threadTs?: string },
  lookupId: string,
  { at }: Unconfirmed,
): Promise<string | undefined> {
  const args = {
    channel: where.channel,
    oldest: String((at - CLOCK_SKEW_MS) / 1_000),
    include_all_metadata: true,
    limit: PAGE,
  };
  const read = (cursor: object) =>
    where.threadTs === undefined
      ? client.conversations.history({ ...args, ...cursor })
      : client.conversations.replies({ ...args, ...cursor, ts: where.threadTs });
  try {
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { messages = [], response_metadata } = await read(cursor === undefined ? {} : { cursor });
      const found = messages.find(({ metadata }) => hasMetadata(metadata, lookupId));
      cursor = response_metadata?.next_cursor;
      if (found !== undefined || !cursor) return found?.ts;
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
