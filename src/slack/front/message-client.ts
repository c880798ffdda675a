import { webApi } from '@slack/bolt';

type Result = webApi.WebAPICallResult & { readonly error: string };
type MessageClientOptions = Required<
  Pick<webApi.WebClientOptions, 'slackApiUrl' | 'timeout' | 'fetch' | 'logger'>
>;

/**
 * Slack's client for messages. A call is sent once, and throws what Slack's own client throws. Slack's own client also copies
 * each message and each answer, and writes them out for a log at level debug: a tenth of the processor time of an answer.
 */
export class MessageClient extends webApi.WebClient {
  readonly #options: MessageClientOptions;

  constructor(token: string, options: MessageClientOptions) {
    super(token, options);
    this.#options = options;
  }

  override async apiCall(method: string, args: object = {}): Promise<webApi.WebAPICallResult> {
    const { logger } = this.#options;
    logger.debug(`apiCall('${method}') start`);
    const { answer, text, result } = await this.#post(method, args);
    const { status, statusText, headers } = answer;
    if (status === 429)
      throw new webApi.WebAPIRateLimitedError(Number.parseInt(headers.get('retry-after') ?? '', 10));
    if (result === undefined)
      throw new webApi.WebAPIHTTPError(status, statusText, Object.fromEntries(headers.entries()), text);
    for (const problem of result.response_metadata?.messages ?? []) logger.warn(problem);
    if (!result.ok) throw new webApi.WebAPIPlatformError(result);
    logger.debug(`apiCall('${method}') end`);
    return result;
  }

  /** `result` is what an answer with status 200 holds. */
  async #post(method: string, args: object) {
    const { slackApiUrl, timeout, fetch } = this.#options;
    const isJson = TAKES_JSON.test(method);
    try {
      const answer = await fetch(`${slackApiUrl}${method}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': isJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded',
        },
        body: isJson ? JSON.stringify(args) : formOf(args),
        signal: AbortSignal.timeout(timeout),
      });
      const text = await answer.text();
      const result: Result | undefined = answer.status === 200 ? resultIn(text, method, args) : undefined;
      return { answer, text, result };
    } catch (error) {
      throw new webApi.WebAPIRequestError(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Slack answers these with a copy of the whole message, and where it stands. */
const COPIES = /^chat\.(?:postMessage|update)$/;
const TAKEN = /^\{"ok":true/;
const CHANNEL = /"channel":"(\w{1,40})"/;
const TS = /"ts":"([\d.]{1,40})"/;
/** Warnings of Slack. Quotation marks in the copy's texts have a backslash before them. */
const MORE = /"response_metadata":/;

/**
 * What an answer says. A copy of a message is not parsed, since that takes a twentieth of the processor time of an answer;
 * but of a reply it tells whether that is in its thread.
 */
function resultIn(text: string, method: string, args: object): Result {
  const isCopy = COPIES.test(method) && TAKEN.test(text) && !('thread_ts' in args);
  if (!isCopy || MORE.test(text)) return JSON.parse(text);
  const [, channel] = CHANNEL.exec(text) ?? [];
  const [, ts] = TS.exec(text) ?? [];
  if (channel === undefined || ts === undefined) return JSON.parse(text);
  return Object.assign({ ok: true, error: '' }, { channel, ts });
}

/** The methods that write take JSON (https://docs.slack.dev/apis/web-api#post-json); those that read take a form. */
const TAKES_JSON = /^(?:chat\.(?:delete|postEphemeral|postMessage|unfurl|update)|views\.\w+)$/;

function formOf(args: object): string {
  const fields = Object.entries(args)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
  return new URLSearchParams(fields).toString();
}
