import type { webApi } from '@slack/bolt';
import type { Message } from './blocks.ts';
import type { Outbox, Urgency } from './outbox.ts';
import { findReceipt, receiptOf, type Unconfirmed } from './receipts.ts';
import { meaningOf } from './slack-errors.ts';

export type PosterOptions = {
  /** Repeats nothing by itself: a post that is repeated blindly can appear twice. */
  readonly client: webApi.WebClient;
  readonly outbox: Outbox;
  /** Hears of messages that Slack refused for their blocks: a bug of ours, though the user still got the text. */
  readonly onRefusedBlocks: (error: unknown) => void;
};

/** Nothing in a text from elsewhere becomes a link, a channel or a preview. */
const INERT = { parse: 'none', link_names: false } as const;
const NO_PREVIEWS = { mrkdwn: true, unfurl_links: false, unfurl_media: false } as const;

/** A message of the bot. */
export type Posted = { readonly channel: string; readonly ts: string };

/** Posts and edits messages, each in its lane of the outbox; a message whose blocks are refused goes as text. */
export class Poster {
  readonly #options: PosterOptions;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  /** Makes a message say something else. Throws what the client throws, and `Congested`. */
  async edit({ channel, ts }: Posted, message: Message, urgency: Urgency): Promise<void> {
    const { client, outbox } = this.#options;
    await this.#orText(message, (content) =>
      outbox.send('chat.update', urgency, () => client.chat.update({ channel, ts, ...content, ...INERT })),
    );
  }

  /** Posts a message; the answer to a lookup carries its receipt. Throws what the client throws, and `Congested`. */
  async post(
    where: { readonly channel: string; readonly threadTs?: string },
    message: Message,
    urgency: Urgency,
    lookupId?: string,
  ): Promise<Posted> {
    const { client, outbox } = this.#options;
    const { channel, threadTs } = where;
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    const receipt = lookupId === undefined ? {} : { metadata: receiptOf(lookupId) };
    const frame = { channel, ...receipt, ...INERT, ...NO_PREVIEWS, ...thread };
    const posted = await this.#orText(message, (content) =>
      outbox.send(`chat.postMessage:${channel}`, urgency, () =>
        client.chat.postMessage({ ...frame, ...content }),
      ),
    );
    return { channel: posted.channel ?? channel, ts: posted.ts ?? '' };
  }

  /** The timestamp of a post whose confirmation was lost, if it did arrive and the bot may look. */
  find(
    where: { readonly channel: string; readonly threadTs?: string },
    lookupId: string,
    unconfirmed: Unconfirmed,
    urgency: Urgency,
  ): Promise<string | undefined> {
    const { client, outbox } = this.#options;
    return outbox.send('conversations.history', urgency, () =>
      findReceipt(client, where, lookupId, unconfirmed),
    );
  }

  /** Slack refuses a message with one bad block whole; then the text alone is better than silence. */
  async #orText<T>(
    message: Message,
    send: (content: Partial<Message> & { text: string }) => Promise<T>,
  ): Promise<T> {
    try {
      return await send(message);
    } catch (error) {
      if (meaningOf(error) !== 'bad-blocks') throw error;
      this.#options.onRefusedBlocks(error);
      return send({ text: message.text });
    }
  }
}
