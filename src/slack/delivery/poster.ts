import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import type { Message } from '../blocks/blocks.ts';
import { fitText, INERT, LIMITS } from '../blocks/limits.ts';
import { RateLimitedQueue, type Urgency } from './rate-limited-queue.ts';
import { isRefused, isRefusedHere, isUnanswered, meaningOf } from './slack-errors.ts';

const EVENT_TYPE = 'snapshot_lookup';
/** How far Slack's clock and the bot's may differ: a clock can jump by hours between a post and the search for it. */
const CLOCK_SKEW_MS = 24 * 3_600_000;
/** The most messages in one answer of Slack (https://docs.slack.dev/reference/methods/conversations.history). */
const MOST_MESSAGES = 999;

/** A posted message of the bot. */
export type Posted = { readonly channel: string; readonly ts: string };

/** A conversation, or a user for their direct message with the bot. */
export type Where = {
  readonly channel: string;
  readonly threadTs?: string;
  /** Whether a reply in a thread is also sent to the channel. */
  readonly isBroadcast?: boolean;
};

/** In a thread of this age few people see a reply. Milliseconds. */
const OLD_THREAD_MS = 3_600_000;

/** Whether a thread is so old that an important reply should also be sent to the channel. */
export function isOldThread(threadTs: string, now: number): boolean {
  return now - Number(threadTs) * 1_000 > OLD_THREAD_MS;
}

/** Matches user ids; the ids of conversations begin with other letters. */
const PERSON = /^[UW]/;

/** How long after a timeout Slack may still carry out a call. Milliseconds. */
const DONE_LATE_MS = 10_000;
const NO_PREVIEWS = { mrkdwn: true, unfurl_links: false, unfurl_media: false } as const;

/** Runs right before each attempt to send, but not for progress that is dropped. If it throws, nothing is sent. */
type Confirm = () => Promise<void>;

type Content = { readonly text: string } & Partial<Message>;

/** Slack's answer to a post. */
const taken = z.object({
  channel: z.string(),
  ts: z.string(),
  message: z.object({ thread_ts: z.string().nullable().default(null) }).optional(),
});

/** Posts and edits messages, in the order of `RateLimitedQueue`. Throws the errors of Slack's client, and `Congested`. */
export class Poster {
  readonly #client: webApi.WebClient;
  readonly #onRefusedContent: (error: unknown) => void;
  readonly #queue = new RateLimitedQueue();

  /**
   * `client` must not retry by itself, because a blind retry can post a message twice. `onRefusedContent` is called if
   * Slack refused the blocks, which is a bug, although the user still gets the text.
   */
  constructor(client: webApi.WebClient, onRefusedContent: (error: unknown) => void) {
    this.#client = client;
    this.#onRefusedContent = onRefusedContent;
  }

  async edit({ channel, ts }: Posted, message: Message, urgency: Urgency, confirm?: Confirm): Promise<void> {
    await this.#orShort(message, (content) =>
      this.#send('chat.update', urgency, confirm, () =>
        this.#client.apiCall('chat.update', { channel, ts, ...content, ...INERT }),
      ),
    );
  }

  /** Posts a message. With an `id`, `find` can find it later. */
  async post(
    { channel, threadTs, isBroadcast }: Where,
    message: Message,
    urgency: Urgency,
    { id, confirm }: { readonly id?: string; readonly confirm?: Confirm } = {},
  ): Promise<Posted & { readonly isOutsideThread: boolean }> {
    const inChannel = isBroadcast && { reply_broadcast: true };
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs, ...inChannel };
    // `find` looks for this metadata.
    const metadata = { event_type: EVENT_TYPE, event_payload: { lookup: id } };
    const marker = id === undefined ? {} : { metadata };
    const frame = { channel, ...marker, ...INERT, ...NO_PREVIEWS, ...thread };
    const answer = await this.#orShort(message, (content) =>
      this.#send(`chat.postMessage:${channel}`, urgency, confirm, () =>
        this.#client.apiCall('chat.postMessage', { ...frame, ...content }),
      ),
    );
    const posted = taken.parse(answer);
    // Slack may post a reply to a deleted message outside any thread instead of refusing it.
    const isOutsideThread = threadTs !== undefined && posted.message?.thread_ts === null;
    return { channel: posted.channel, ts: posted.ts, isOutsideThread };
  }

  /**
   * Posts a message at the first of these places that Slack accepts; false if it accepts none. `confirm` works as for
   * `post`. `onRefused` gets the error of each refusal.
   */
  async postAtFirst(
    places: readonly Where[],
    message: Message,
    onRefused: (error: unknown) => void,
    { id, confirm }: { readonly id?: string; readonly confirm?: (where: Where) => Promise<void> } = {},
  ): Promise<boolean> {
    for (const where of places) {
      try {
        const how = { ...(id && { id }), confirm: async () => confirm?.(where) };
        const posted = await this.post(where, message, 'final', how);
        if (!posted.isOutsideThread) return true;
        // The thread's first message was deleted, so the reply ended up in the channel itself.
        await this.remove(posted);
      } catch (error) {
        if (!isRefusedHere(error)) throw error;
        onRefused(error);
      }
    }
    return false;
  }

  /** Finds a message that was posted with this id since `at` (epoch milliseconds); see `findPost`. */
  find(where: Where, id: string, at: number, urgency: Urgency): Promise<Posted | undefined> {
    return this.#queue.send('conversations.history', urgency, () => findPost(this.#client, where, id, at));
  }

  /** Shows the preview of a link in a message. */
  async unfurl(args: webApi.ChatUnfurlArguments): Promise<void> {
    await this.#send('chat.unfurl', 'final', undefined, () => this.#client.chat.unfurl(args));
  }

  /** Deletes a message if Slack allows it. Does not throw. */
  async remove({ channel, ts }: Posted): Promise<void> {
    await this.#client.chat.delete({ channel, ts }).catch(() => {});
  }

  /**
   * Sends a call when its turn comes. After a timeout Slack may still carry it out, so this waits before the caller
   * looks for the message or edits it again.
   */
  async #send<T>(
    lane: string,
    urgency: Urgency,
    confirm: Confirm | undefined,
    call: () => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#queue.send(lane, urgency, call, confirm);
    } catch (error) {
      if (isUnanswered(error)) await new Promise((done) => setTimeout(done, DONE_LATE_MS));
      throw error;
    }
  }

  /** Slack refuses a whole message for one bad block or a text that is too long; then only a short text is sent. */
  async #orShort<T>({ text, blocks }: Message, send: (content: Content) => Promise<T>): Promise<T> {
    try {
      return await send({ text: fitText(text, LIMITS.text), blocks });
    } catch (error) {
      if (meaningOf(error) !== 'bad-content') throw error;
      this.#onRefusedContent(error);
      return send({ text: fitText(text, LIMITS.briefText) });
    }
  }
}

/**
 * Finds a message by its metadata, posted since `at` (epoch milliseconds). Undefined if it does not exist, or the bot
 * may not read the history, because those scopes are optional. Throws the errors of Slack's client.
 */
async function findPost(
  client: webApi.WebClient,
  { channel: where, threadTs: ts }: Where,
  lookupId: string,
  at: number,
): Promise<Posted | undefined> {
  try {
    // Slack gives the history only for the channel id of the direct message, not for the user's id.
    const isPerson = PERSON.test(where);
    const channel = isPerson ? (await client.conversations.open({ users: where })).channel?.id : where;
    if (channel === undefined) return undefined;
    const oldest = String((at - CLOCK_SKEW_MS) / 1_000);
    const args = { channel, oldest, include_all_metadata: true, limit: MOST_MESSAGES };
    const { messages = [] } =
      ts === undefined
        ? await client.conversations.history(args)
        : await client.conversations.replies({ ...args, ts });
    const found = messages.find(
      ({ metadata }) => Reflect.get(metadata?.event_payload ?? {}, 'lookup') === lookupId,
    );
    return found?.ts === undefined ? undefined : { channel, ts: found.ts };
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}
