import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import type { Message } from '../blocks/blocks.ts';
import { fitText, INERT, LIMITS } from '../blocks/limits.ts';
import { RateLimitedQueue, type Urgency } from './rate-limited-queue.ts';
import { isRefused, isRefusedHere, isUnanswered, meaningOf } from './slack-errors.ts';

const EVENT_TYPE = 'snapshot_lookup';
/** The most that Slack's clock and the bot's may differ: a clock may step by hours between a post and the search for it. */
const CLOCK_SKEW_MS = 24 * 3_600_000;
/** The most messages that Slack gives at once (https://docs.slack.dev/reference/methods/conversations.history). */
const MOST_MESSAGES = 999;

/** A message of the bot. */
export type Posted = { readonly channel: string; readonly ts: string };

/** A conversation, or a person for their direct message with the bot. */
export type Where = {
  readonly channel: string;
  readonly threadTs?: string;
  /** Whether a reply is also shown in the conversation itself. */
  readonly isBroadcast?: boolean;
};

/** Few people look at a thread that is older. Milliseconds. */
const OLD_THREAD_MS = 3_600_000;

/** Whether a reply that has to be seen is also shown in the conversation, because the thread is old. */
export function isOldThread(threadTs: string, now: number): boolean {
  return now - Number(threadTs) * 1_000 > OLD_THREAD_MS;
}

/** The form of Slack's user ids; those of conversations begin with other letters. */
const PERSON = /^[UW]/;

/** How long after the client's timeout Slack may still make the call. Milliseconds. */
const DONE_LATE_MS = 10_000;
const NO_PREVIEWS = { mrkdwn: true, unfurl_links: false, unfurl_media: false } as const;

/** Called right before each try, and not for progress that is dropped; if it throws, nothing is sent. */
type Confirm = () => Promise<void>;

type Content = { readonly text: string } & Partial<Message>;

/** Slack's answer to a message that it took. */
const taken = z.object({
  channel: z.string(),
  ts: z.string(),
  message: z.object({ thread_ts: z.string().nullable().default(null) }).optional(),
});

/** Posts and edits messages, in the order of `RateLimitedQueue`. Its methods throw what Slack's client throws, and `Congested`. */
export class Poster {
  readonly #client: webApi.WebClient;
  readonly #onRefusedContent: (error: unknown) => void;
  readonly #queue = new RateLimitedQueue();

  /**
   * `client` never retries by itself: a post that is retried blindly can appear twice. `onRefusedContent` is called if Slack
   * refused a message for its content: a bug, though the user still got the text.
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

  /** Posts a message. `find` finds it by its `id`. */
  async post(
    { channel, threadTs, isBroadcast }: Where,
    message: Message,
    urgency: Urgency,
    { id, confirm }: { readonly id?: string; readonly confirm?: Confirm } = {},
  ): Promise<Posted & { readonly isOutsideThread: boolean }> {
    const inChannel = isBroadcast && { reply_broadcast: true };
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs, ...inChannel };
    // Metadata is invisible to people.
    const metadata = { event_type: EVENT_TYPE, event_payload: { lookup: id } };
    const marker = id === undefined ? {} : { metadata };
    const frame = { channel, ...marker, ...INERT, ...NO_PREVIEWS, ...thread };
    const answer = await this.#orShort(message, (content) =>
      this.#send(`chat.postMessage:${channel}`, urgency, confirm, () =>
        this.#client.apiCall('chat.postMessage', { ...frame, ...content }),
      ),
    );
    const posted = taken.parse(answer);
    // The reply to a deleted message: Slack may post it outside of any thread instead of refusing it.
    const isOutsideThread = threadTs !== undefined && posted.message?.thread_ts === null;
    return { channel: posted.channel, ts: posted.ts, isOutsideThread };
  }

  /**
   * Posts a message at the first of these places where Slack takes it; false if at none. `confirm` as for `post`. Each
   * refusal goes to `onRefused`.
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
        // Slack posts the reply to a deleted message in the channel itself.
        await this.remove(posted);
      } catch (error) {
        if (!isRefusedHere(error)) throw error;
        onRefused(error);
      }
    }
    return false;
  }

  /** A message that was posted with this id since `at` (epoch ms), as `findPost`. */
  find(where: Where, id: string, at: number, urgency: Urgency): Promise<Posted | undefined> {
    return this.#queue.send('conversations.history', urgency, () => findPost(this.#client, where, id, at));
  }

  /** Shows something under a link in a message. */
  async unfurl(args: webApi.ChatUnfurlArguments): Promise<void> {
    await this.#send('chat.unfurl', 'final', undefined, () => this.#client.chat.unfurl(args));
  }

  /** Deletes a message if Slack allows it. Does not throw. */
  async remove({ channel, ts }: Posted): Promise<void> {
    await this.#client.chat.delete({ channel, ts }).catch(() => {});
  }

  /**
   * Makes a call in its turn. After a timeout Slack may still do it: waits for that, before a caller looks for the
   * message or edits it again.
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

  /** Slack refuses a whole message for one bad block or a text that is too long: a short text is better than silence. */
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
 * Finds a message by the metadata that `post` marked it with, posted since `at` (epoch ms). Undefined if it is not there, or if the
 * bot may not read the history: those scopes are optional. Throws what Slack's client throws.
 */
async function findPost(
  client: webApi.WebClient,
  { channel: where, threadTs: ts }: Where,
  lookupId: string,
  at: number,
): Promise<Posted | undefined> {
  try {
    // Its history is only found under the id of the direct message.
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
