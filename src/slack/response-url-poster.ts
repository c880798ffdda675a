import { type Dispatcher, request } from 'undici';
import type { Message } from './blocks.ts';
import type { ResponseUrl } from './place.ts';

const TIMEOUT_MS = 10_000;
/** Slack says so when an address is spent, expired or unknown. */
const SPENT = new Set([403, 404, 410]);
const INERT = { parse: 'none', link_names: false, unfurl_links: false } as const;

/** What else an address is told: who sees the message, and where it goes. */
type Manner = { readonly [key: string]: string | boolean };

/** Posts through the one-off addresses of commands and clicks (https://docs.slack.dev/interactivity/handling-user-interaction). */
export class ResponseUrlPoster {
  readonly #dispatcher: Dispatcher;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /**
   * Posts for one person's eyes, or replaces what was clicked. False when the address takes nothing more; throws when
   * Slack failed.
   */
  post({ url, replaces }: ResponseUrl, message: Message, threadTs?: string): Promise<boolean> {
    return this.#post(url, message, replaces ? { replace_original: true } : privately(threadTs));
  }

  /** Tells the one who clicked something beside the message that was clicked. */
  async tell(
    { responseUrl, threadTs }: { readonly responseUrl: string; readonly threadTs?: string | undefined },
    message: Partial<Message> & { readonly text: string },
  ): Promise<void> {
    await this.#post(responseUrl, message, privately(threadTs));
  }

  /** Posts for everybody in the conversation, the bot's membership or not. False when the address is spent. */
  show(url: string, message: Message, threadTs?: string): Promise<boolean> {
    return this.#post(url, message, { ...privately(threadTs), response_type: 'in_channel' });
  }

  /** Takes away what was clicked. */
  async remove(url: string): Promise<void> {
    await this.#send(url, { delete_original: true });
  }

  async #post(url: string, message: Partial<Message>, manner: Manner): Promise<boolean> {
    const status = await this.#send(url, { ...message, ...manner, ...INERT });
    if (status < 300) return true;
    if (SPENT.has(status)) return false;
    // A refused message, most likely for its blocks: the text alone is better than silence.
    const canBeTheBlocks = status < 500 && status !== 429;
    if (canBeTheBlocks && (await this.#send(url, { text: message.text, ...manner, ...INERT })) < 300)
      return true;
    throw new Error(`a response URL of Slack answered ${status}`);
  }

  async #send(url: string, body: object): Promise<number> {
    const answer = await request(url, {
      dispatcher: this.#dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body.dump();
    return answer.statusCode;
  }
}

function privately(threadTs: string | undefined): Manner {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  return { response_type: 'ephemeral', replace_original: false, ...thread };
}
