import type { webApi } from '@slack/bolt';
import {
  type Asked,
  type Destination,
  type Lookup,
  questionKey,
  type Unconfirmed,
} from '../../core/lookup.ts';
import { searchText } from '../../core/searching.ts';
import type { Namespace } from '../../core/store.ts';
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

/** A message that waits for an answer, and the lookup that it belongs to. */
export type WaitingMessage = { readonly channel: string; readonly ts: string; readonly lookupId: string };

/** How long `find` waits for the timestamp of a message that is being posted. Milliseconds. */
const NAMED_WITHIN_MS = 1_000;
const LOOK_AGAIN_MS = 25;

/** Gives an open lookup; undefined after its end. */
type Open = (lookupId: string) => Promise<Lookup | undefined>;

/**
 * The lookups that wait, by conversation and request, so that a repeated request points to their messages. A lookup is
 * registered before its message is posted, so that a repeated command finds it at once.
 */
export class WaitingMessages {
  readonly #lookups: Namespace<string>;

  constructor(lookups: Namespace<string>) {
    this.#lookups = lookups;
  }

  /**
   * The message that waits for the same request in this channel or thread; waits for at most a second for one that is
   * being posted. Throws `storage-failed`.
   */
  async find(destination: Destination, asked: Asked, open: Open): Promise<WaitingMessage | undefined> {
    const lookupId = await this.#lookups.get(keyOf(destination, asked));
    if (lookupId === undefined) return undefined;
    for (let waitedMs = 0; waitedMs < NAMED_WITHIN_MS; waitedMs += LOOK_AGAIN_MS) {
      const { channel, messageTs: ts, response } = (await open(lookupId))?.destination ?? {};
      if (channel !== undefined && ts !== undefined) return { channel, ts, lookupId };
      // It has ended, or its message is for one person's eyes.
      if (channel === undefined || response?.isInUse === true) return undefined;
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
    return undefined;
  }

  /** Registers a lookup whose message is about to be posted; `ttlMs` is how long it can wait. */
  async begin(destination: Destination, asked: Asked, lookupId: string, ttlMs: number): Promise<void> {
    if (ttlMs > 0) await this.#lookups.set(keyOf(destination, asked), lookupId, ttlMs);
  }
}

function keyOf(
  { channel, threadTs = '' }: Destination,
  { question, others = [], before, againstLast, filter = {}, search = [], side }: Asked,
): string {
  const compared = before === undefined ? (againstLast === true ? 'last' : '') : questionKey(before);
  const parts = [channel, threadTs, questionKey(question), compared, JSON.stringify(filter)];
  return [...parts, searchText(search), side ?? '', ...others.map(({ snapshotId }) => snapshotId)].join(':');
}
