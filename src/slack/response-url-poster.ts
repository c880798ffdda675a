import { type Dispatcher, request } from 'undici';
import type { Message } from './blocks.ts';
import type { ResponseUrl } from './place.ts';

const TIMEOUT_MS = 10_000;
/** Slack says so when an address is spent, expired or unknown. */
const SPENT = new Set([403, 404, 410]);

/** Posts through the one-off addresses of commands and clicks (https://docs.slack.dev/interactivity/handling-user-interaction). */
export class ResponseUrlPoster {
  readonly #dispatcher: Dispatcher;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** Posts, or replaces what was clicked. False when the address takes nothing more; throws when Slack failed. */
  async post(response: ResponseUrl, message: Message): Promise<boolean> {
    const status = await this.#send(response, message);
    if (status < 300) return true;
    if (SPENT.has(status)) return false;
    // A refused message, most likely for its blocks: the text alone is better than silence.
    if (status < 500 && status !== 429 && (await this.#send(response, { text: message.text })) < 300)
      return true;
    throw new Error(`a response URL of Slack answered ${status}`);
  }

  async #send({ url, replaces }: ResponseUrl, message: Partial<Message>): Promise<number> {
    const content = replaces ? { replace_original: true } : { response_type: 'ephemeral' };
    const { statusCode, body } = await request(url, {
      dispatcher: this.#dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ ...message, ...content, parse: 'none', link_names: false, unfurl_links: false }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await body.dump();
    return statusCode;
  }
}
