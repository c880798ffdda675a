import type { webApi } from '@slack/bolt';
import type { Unconfirmed } from '../../core/destination.ts';
import type { Message } from '../block-kit/blocks.ts';
import { INERT } from '../block-kit/inert-text.ts';
import { fitText, LIMITS } from '../block-kit/limits.ts';
import { findByMetadata, metadataOf } from './message-metadata.ts';
import type { RateLimitedQueue, Urgency } from './rate-limited-queue.ts';
import { isRefused, meaningOf } from './slack-errors.ts';

type PosterOptions = {
  /** Repeats nothing by itself: a post that is repeated blindly can appear twice. */
  readonly client: webApi.WebClient;
  readonly rateLimitedQueue: RateLimitedQueue;
  /** Hears of messages that Slack refused for what they hold: a bug of ours, though the user still got the text. */
  readonly onRefusedContent: (error: unknown) => void;
};

const NO_PREVIEWS = { mrkdwn: true, unfurl_links: false, unfurl_media: false } as const;

/** A message of the bot. */
type Posted = { readonly channel: string; readonly ts: string };

/** A conversation, or a person: then their direct message with the bot. */
export type Where = { readonly channel: string; readonly threadTs?: string };

/** What is sent of a message: all of it, or less. */
type Content = { readonly text: string; readonly blocks?: Message['blocks'] };

/** Slack's ids of people; those of conversations begin otherwise. */
const PERSON = /^[UW]/;

/** Posts and edits messages in the turn that their urgency gives them; of a message that Slack refuses it sends less. */
export class Poster {
  readonly #options: PosterOptions;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  /** Makes a message say something else. Throws what the client throws, and `Congested`. */
  async edit({ channel, ts }: Posted, message: Message, urgency: Urgency): Promise<void> {
    const { client, rateLimitedQueue } = this.#options;
    await this.#orLess(message, (content) =>
      rateLimitedQueue.send('chat.update', urgency, () =>
        client.chat.update({ channel, ts, ...content, ...INERT }),
      ),
    );
  }

  /** Posts a message; the answer to a lookup carries its id. Throws what the client throws, and `Congested`. */
  async post({ channel, threadTs }: Where, message: Message, urgency: Urgency, id?: string): Promise<Posted> {
    const { client, rateLimitedQueue } = this.#options;
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    const marker = id === undefined ? {} : { metadata: metadataOf(id) };
    const frame = { channel, ...marker, ...INERT, ...NO_PREVIEWS, ...thread };
    const posted = await this.#orLess(message, (content) =>
      rateLimitedQueue.send(`chat.postMessage:${channel}`, urgency, () =>
        client.chat.postMessage({ ...frame, ...content }),
      ),
    );
    return { channel: posted.channel ?? channel, ts: posted.ts ?? '' };
  }

  /** The post whose confirmation was lost, if it did arrive and the bot may look. Throws what the client throws. */
  async find(
    where: Where,
    id: string,
    unconfirmed: Unconfirmed,
    urgency: Urgency,
  ): Promise<Posted | undefined> {
    const { client, rateLimitedQueue } = this.#options;
    return rateLimitedQueue.send('conversations.history', urgency, async () => {
      const channel = await this.#conversationOf(where.channel);
      if (channel === undefined) return undefined;
      const ts = await findByMetadata(client, { ...where, channel }, id, unconfirmed);
      return ts === undefined ? undefined : { channel, ts };
    });
  }

  /** Takes a message away, if that can be done. */
  async remove({ channel, ts }: Posted): Promise<void> {
    await this.#options.client.chat.delete({ channel, ts }).catch(() => {});
  }

  /** The history of a direct message is asked for by its own id; undefined where the bot may not ask for that id. */
  async #conversationOf(channel: string): Promise<string | undefined> {
    if (!PERSON.test(channel)) return channel;
    try {
      const opened = await this.#options.client.conversations.open({ users: channel });
      return opened.channel?.id;
    } catch (error) {
      if (isRefused(error)) return undefined;
      throw error;
    }
  }

  /** Slack refuses a message whole for one bad block or too long a text; then less is better than silence. */
  async #orLess<T>(message: Message, send: (content: Content) => Promise<T>): Promise<T> {
    let forms = formsOf(message);
    for (;;) {
      const [form = { text: message.text }, ...less] = forms;
      try {
        return await send(form);
      } catch (error) {
        const meaning = meaningOf(error);
        forms = less.filter(({ blocks }) => meaning !== 'bad-blocks' || blocks === undefined);
        if (!['bad-blocks', 'too-long'].includes(meaning) || forms.length === 0) throw error;
        this.#options.onRefusedContent(error);
      }
    }
  }
}

/** All of a message, then less and less of it. */
function formsOf({ text, blocks }: Message): readonly Content[] {
  const [whole, brief] = [fitText(text, LIMITS.text), fitText(text, LIMITS.briefText)];
  return [{ text: whole, blocks }, { text: brief, blocks }, { text: whole }, { text: brief }];
}
