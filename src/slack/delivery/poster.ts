import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import type { Unconfirmed } from '../../core/lookup.ts';
import type { Message } from '../blocks/blocks.ts';
import { fitText, INERT, LIMITS } from '../blocks/limits.ts';
import { findPost, metadataOf, type Posted, type Where } from './own-messages.ts';
import { RateLimitedQueue, type Urgency } from './rate-limited-queue.ts';
import { isUnanswered, meaningOf } from './slack-errors.ts';

/** How much later than the client waits for it Slack may do something. Milliseconds. */
const DONE_LATE_MS = 10_000;
const NO_PREVIEWS = { mrkdwn: true, unfurl_links: false, unfurl_media: false } as const;

/** What finds a post again if its confirmation gets lost. */
export type Findable = {
  /** The message carries it. */
  readonly id: string;
  /** Stores that the post may be there. Called right before each try, and not for progress that is dropped. */
  readonly save: () => Promise<void>;
};

/** A message, or a shorter form of it. */
type Content = { readonly text: string } & Partial<Message>;

/** Slack's response to a message that it accepted. */
const taken = z.object({
  channel: z.string().optional(),
  ts: z.string().optional(),
  message: z.object({ thread_ts: z.string().nullable().default(null) }).optional(),
});

/** Posts and edits messages through the rate-limited queue; if Slack refuses a message, sends a shorter form of it. */
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

  /** Edits a message. Throws what Slack's client and `confirm`, called right before each try, throw, and `Congested`. */
  async edit(
    { channel, ts }: Posted,
    message: Message,
    urgency: Urgency,
    confirm = async () => {},
  ): Promise<void> {
    await this.#orLess(message, (content) => {
      const edit = async () => {
        await confirm();
        return this.#client.apiCall('chat.update', { channel, ts, ...content, ...INERT });
      };
      return this.#send('chat.update', urgency, edit);
    });
  }

  /** Posts a message. Throws what Slack's client and `findable.save` throw, and `Congested`. */
  async post(
    { channel, threadTs, isBroadcast }: Where,
    message: Message,
    urgency: Urgency,
    findable?: Findable,
  ): Promise<Posted & { readonly isOutsideThread?: true }> {
    const inChannel = isBroadcast && { reply_broadcast: true };
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs, ...inChannel };
    const marker = findable === undefined ? {} : { metadata: metadataOf(findable.id) };
    const frame = { channel, ...marker, ...INERT, ...NO_PREVIEWS, ...thread };
    const answer = await this.#orLess(message, (content) => {
      const post = async () => {
        await findable?.save();
        return this.#client.apiCall('chat.postMessage', { ...frame, ...content });
      };
      return this.#send(`chat.postMessage:${channel}`, urgency, post);
    });
    const posted = taken.parse(answer);
    // The reply to a deleted message: Slack may post it outside of any thread instead of refusing it.
    const isOutsideThread = threadTs !== undefined && posted.message?.thread_ts === null;
    const at = { channel: posted.channel ?? channel, ts: posted.ts ?? '' };
    return isOutsideThread ? { ...at, isOutsideThread } : at;
  }

  /** Posts the message unless an earlier, unconfirmed attempt got through. Throws as `post`, and what `compose` throws. */
  async postOnce(
    where: Where,
    compose: () => Message | Promise<Message>,
    { unconfirmed, ...findable }: Findable & { readonly unconfirmed: Unconfirmed | undefined },
  ): Promise<void> {
    if (unconfirmed !== undefined && (await this.find(where, findable.id, unconfirmed, 'final'))) return;
    await this.post(where, await compose(), 'final', findable);
  }

  /**
   * Finds a post whose confirmation was lost, if it arrived and the bot may read the history. Throws what Slack's
   * client throws.
   */
  find(where: Where, id: string, at: Unconfirmed, urgency: Urgency): Promise<Posted | undefined> {
    const search = () => findPost(this.#client, where, id, at);
    return this.#queue.send('conversations.history', urgency, search);
  }

  /** Shows something under a link in somebody's message. Throws as `edit`. */
  async unfurl(args: webApi.ChatUnfurlArguments, urgency: Urgency, confirm = async () => {}): Promise<void> {
    await this.#send('chat.unfurl', urgency, async () => {
      await confirm();
      return this.#client.chat.unfurl(args);
    });
  }

  /** Deletes a message if Slack allows it. */
  async remove({ channel, ts }: Posted): Promise<void> {
    await this.#client.chat.delete({ channel, ts }).catch(() => {});
  }

  /**
   * Makes a call in its turn. Slack may still do what it did not answer in time: what follows, a search for the message or
   * its next text, waits for that.
   */
  async #send<T>(lane: string, urgency: Urgency, call: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.send(lane, urgency, call);
    } catch (error) {
      if (isUnanswered(error)) await new Promise((done) => setTimeout(done, DONE_LATE_MS));
      throw error;
    }
  }

  /** Slack refuses a whole message for one bad block or a text that is too long: a short text is better than silence. */
  async #orLess<T>({ text, blocks }: Message, send: (content: Content) => Promise<T>): Promise<T> {
    try {
      return await send({ text: fitText(text, LIMITS.text), blocks });
    } catch (error) {
      if (meaningOf(error) !== 'bad-content') throw error;
      this.#onRefusedContent(error);
      return send({ text: fitText(text, LIMITS.briefText) });
    }
  }
}
