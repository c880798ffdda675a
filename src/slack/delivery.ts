import { webApi } from '@slack/bolt';
import type { Lookup } from '../core/lookup.ts';
import type { Delivery, News } from '../lookups/lookups.ts';
import type { Message } from './blocks.ts';
import { messageFor } from './messages/message-for.ts';
import type { Place } from './place.ts';
import type { ResponseUrlPoster } from './response-url-poster.ts';

export type DeliveryOptions = {
  readonly client: webApi.WebClient;
  readonly responses: ResponseUrlPoster;
  readonly loginUrl: string;
  readonly now: () => number;
  /** Hears of messages that Slack refused for their blocks: a bug of ours, though the user still got the text. */
  readonly onRefusedBlocks: (error: unknown) => void;
};

/** Slack refuses the channel, not the message: another way may be open. */
const CLOSED_CHANNEL = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_only_channel',
  'thread_not_found',
]);
/** The message can't be edited any more: a new one says it. */
const UNEDITABLE = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed', 'msg_too_old']);
const BAD_BLOCKS = new Set([
  'invalid_blocks',
  'msg_blocks_too_long',
  'invalid_blocks_format',
  'invalid_attachments',
]);

/** Nothing in a text from elsewhere becomes a link, a channel or a preview. */
const INERT = { parse: 'none', link_names: false } as const;
const NO_PREVIEWS = { mrkdwn: true, unfurl_links: false, unfurl_media: false } as const;

/** Puts news where they belong: an edit of the bot's own message, else a post, else the response URL, else a DM. */
export class SlackDelivery implements Delivery<Place> {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  async deliver(lookup: Lookup<Place>, news: News): Promise<Place> {
    const { place } = lookup;
    const isPrivate = place.response?.replaces === true || place.response?.isInUse === true;
    const editable = !isPrivate || place.response?.replaces === true;
    const message = messageFor(lookup, news, { loginUrl: this.#options.loginUrl, editable });
    if (isPrivate) return this.#answerPrivately(place, message);
    return place.messageTs === undefined
      ? this.#post(place, message)
      : this.#edit(place, place.messageTs, message);
  }

  async #edit(place: Place, ts: string, message: Message): Promise<Place> {
    const { client } = this.#options;
    try {
      await this.#withFallback(message, (content) =>
        client.chat.update({ channel: place.channel, ts, ...content, ...INERT }),
      );
      return place;
    } catch (error) {
      const code = platformError(error);
      if (!UNEDITABLE.has(code) && !CLOSED_CHANNEL.has(code)) throw error;
      const { messageTs: _gone, ...elsewhere } = place;
      return this.#post(elsewhere, message);
    }
  }

  async #post(place: Place, message: Message): Promise<Place> {
    try {
      const thread = place.threadTs === undefined ? {} : { thread_ts: place.threadTs };
      const posted = await this.#postTo(place.channel, message, thread);
      return { ...place, channel: posted.channel ?? place.channel, messageTs: posted.ts ?? '' };
    } catch (error) {
      if (!CLOSED_CHANNEL.has(platformError(error))) throw error;
      return this.#answerPrivately(place, message);
    }
  }

  async #answerPrivately(place: Place, message: Message): Promise<Place> {
    const { response } = place;
    if (response !== undefined && response.expiresAt > this.#options.now()) {
      const taken = await this.#options.responses.post(response, message);
      if (taken) return { ...place, response: { ...response, isInUse: true } };
    }
    const posted = await this.#postTo(place.user, message, {});
    const { response: _spent, threadTs: _thread, ...rest } = place;
    return { ...rest, channel: posted.channel ?? place.user, messageTs: posted.ts ?? '' };
  }

  #postTo(
    channel: string,
    message: Message,
    thread: { thread_ts?: string },
  ): Promise<webApi.ChatPostMessageResponse> {
    const { client } = this.#options;
    return this.#withFallback(message, (content) =>
      client.chat.postMessage({ channel, ...thread, ...content, ...INERT, ...NO_PREVIEWS }),
    );
  }

  /** Slack refuses a message with one bad block whole; then the text alone is better than silence. */
  async #withFallback<T>(
    message: Message,
    send: (content: Partial<Message> & { text: string }) => Promise<T>,
  ): Promise<T> {
    try {
      return await send(message);
    } catch (error) {
      if (!BAD_BLOCKS.has(platformError(error))) throw error;
      this.#options.onRefusedBlocks(error);
      return send({ text: message.text });
    }
  }
}

function platformError(error: unknown): string {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : '';
}
