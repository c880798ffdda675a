import type { webApi } from '@slack/bolt';
import type { Unconfirmed } from '../../core/destination.ts';
import { isRefused } from './slack-errors.ts';

const EVENT_TYPE = 'snapshot_lookup';
/** Slack's clock and the bot's are not the same. */
const CLOCK_SKEW_MS = 120_000;
/** Slack recommends no more on a page (https://docs.slack.dev/reference/methods/conversations.history). */
const PAGE = 200;
/** Many lookups can end in one channel within that time; somebody who looks at everything never ends. */
const MOST_PAGES = 10;

/** What marks a message as the one of a lookup. People do not see it. */
export function metadataOf(lookupId: string) {
  return { event_type: EVENT_TYPE, event_payload: { lookup: lookupId } };
}

/**
 * The timestamp of the message that carries a lookup's id, if it did arrive. Undefined as well where the bot may
 * not read (the history scopes are optional): then a message whose confirmation was lost is posted a second time.
 * Throws what the client throws when Slack can't be asked.
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
