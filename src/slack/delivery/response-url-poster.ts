import type { webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';
import { isApp, isDirect, type ResponseUrl } from '../../core/lookup.ts';
import type { Message } from '../blocks/blocks.ts';
import { fitText, INERT, LIMITS } from '../blocks/limits.ts';
import { isRefused, ResponseUrlFailed } from './slack-errors.ts';

/** How many posts Slack accepts on one response URL. */
const MOST_USES = 5;

/** Whether progress may use the URL: its last post is reserved for the final answer. */
export function isUsableForProgress({ uses = 0 }: ResponseUrl): boolean {
  return uses < MOST_USES - 1;
}

const TIMEOUT_MS = 10_000;
/** Matches a refusal, which Slack can send with status 200. */
const REFUSAL = /^\{\s*"ok"\s*:\s*false/;

/** A message for one person, with optional blocks. */
export type Said = Partial<Message> & { readonly text: string };

/** The fields of a post that say who sees it and where it appears. */
type Manner = { readonly [key: string]: string | boolean };

/** Posts to the response URLs of commands and clicks (https://docs.slack.dev/interactivity/handling-user-interaction). */
export class ResponseUrlPoster {
  readonly #dispatcher: Dispatcher;
  readonly #checkHost: (address: string) => void;

  constructor(dispatcher: Dispatcher, checkHost: (address: string) => void) {
    this.#dispatcher = dispatcher;
    this.#checkHost = checkHost;
  }

  /**
   * Posts an ephemeral message, or replaces the clicked one. Returns the URL with its count of posts; undefined if it
   * is used up. `threadTs`: a thread that already has replies, because Slack may hide an ephemeral first reply. Throws
   * if Slack failed.
   */
  async post(response: ResponseUrl, message: Message, threadTs?: string): Promise<ResponseUrl | undefined> {
    const manner = response.replaces ? { replace_original: true } : privately(threadTs);
    const isTaken = await this.#post(response.url, message, manner);
    return isTaken ? { ...response, uses: (response.uses ?? 0) + 1, isInUse: true } : undefined;
  }

  /**
   * Posts below the clicked message, for one person or for everybody, even if the bot is not a member of the
   * conversation. `threadTs`: as for `post`. False if the URL is used up.
   */
  async tell(
    url: string,
    message: Said,
    threadTs: string | undefined,
    response_type: 'ephemeral' | 'in_channel' = 'ephemeral',
  ): Promise<boolean> {
    return this.#post(url, message, { ...privately(threadTs), response_type });
  }

  /** Deletes the clicked message. */
  async remove(url: string): Promise<void> {
    await this.#send(url, { delete_original: true });
  }

  #post(url: string, { text = '', ...rest }: Partial<Message>, manner: Manner): Promise<boolean> {
    const frame = { ...manner, ...INERT, unfurl_links: false };
    return this.#send(url, { ...rest, text: fitText(text, LIMITS.text), ...frame });
  }

  /** Whether Slack accepted the post. Throws `ResponseUrlFailed` if Slack failed, and the errors of `checkHost`. */
  async #send(url: string, content: object): Promise<boolean> {
    this.#checkHost(url);
    try {
      const { statusCode, body } = await request(url, {
        dispatcher: this.#dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(content),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = await body.text();
      if (statusCode >= 500 || statusCode === 429) throw new Error(`HTTP ${statusCode}`);
      return statusCode < 300 && !REFUSAL.test(answer);
    } catch (cause) {
      throw new ResponseUrlFailed({ cause });
    }
  }
}

function privately(threadTs: string | undefined): Manner {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  return { response_type: 'ephemeral', replace_original: false, ...thread };
}

/** A person in a conversation, or in a thread that already has replies. */
type OnePerson = {
  readonly channel: string;
  readonly user: string;
  readonly threadTs?: string | undefined;
  readonly responseUrl?: string | undefined;
};

/**
 * Sends a message to one person by the first way that Slack accepts: the response URL, an ephemeral message (an app
 * gets a public message), or a direct message. Throws the errors of Slack's client.
 */
export async function tellPrivately(
  { client, responses }: { readonly client: webApi.WebClient; readonly responses: ResponseUrlPoster },
  { channel, user, threadTs, responseUrl }: OnePerson,
  { text, blocks }: Said,
): Promise<void> {
  const message = { text, ...(blocks && { blocks }) };
  if (responseUrl !== undefined && (await responses.tell(responseUrl, message, threadTs))) return;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const post = { channel, ...message, ...thread, ...INERT };
  try {
    if (isApp(user) || isDirect(channel)) await client.chat.postMessage(post);
    else await client.chat.postEphemeral({ ...post, user });
  } catch (error) {
    // The channel can be a direct message between people, which the bot can't reach.
    if (isApp(user) || !isRefused(error)) throw error;
    await client.chat.postMessage({ channel: user, ...message, ...INERT });
  }
}
