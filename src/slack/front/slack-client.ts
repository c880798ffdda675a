import { webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';

/** The methods that send answers. They take JSON too (https://docs.slack.dev/apis/web-api). */
const AS_JSON = ['chat.postMessage', 'chat.update'];

type MessageClientOptions = webApi.WebClientOptions &
  Required<Pick<webApi.WebClientOptions, 'slackApiUrl' | 'timeout' | 'fetch'>> & {
    readonly userAgent: string;
  };
type Answer = Awaited<ReturnType<webApi.FetchFunction>>;

/**
 * Slack's client, but it never retries, throws a 429 at once, and sends messages in a simpler way: Slack's own encodes
 * each character of them for a form, and copies them and the answers for lines of a log that nobody reads.
 */
export class MessageClient extends webApi.WebClient {
  readonly #options: MessageClientOptions;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(token: string, options: MessageClientOptions) {
    super(token, { ...options, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true });
    this.#options = options;
    this.#headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': options.userAgent,
    };
  }

  /** Throws the errors of Slack's own client. */
  override async apiCall(
    method: string,
    args: Record<string, unknown> = {},
  ): Promise<webApi.WebAPICallResult> {
    return AS_JSON.includes(method) ? this.#send(method, JSON.stringify(args)) : super.apiCall(method, args);
  }

  async #send(method: string, body: string): Promise<webApi.WebAPICallResult> {
    const { slackApiUrl, fetch, timeout, logger } = this.#options;
    // Worded as in Slack's own client.
    logger?.debug(`apiCall('${method}') start`);
    const init = { method: 'POST', headers: this.#headers, body, signal: AbortSignal.timeout(timeout) };
    const answer = await fetch(`${slackApiUrl}${method}`, init).catch(failOnTheWay);
    if (answer.status === 429) throw limitOf(answer);
    const text = await answer.text().catch(failOnTheWay);
    if (answer.status === 200) return resultOf(text);
    const headers = Object.fromEntries(answer.headers.entries());
    throw new webApi.WebAPIHTTPError(answer.status, answer.statusText, headers, text);
  }
}

/** Throws as Slack's own client does where no answer of Slack can be read. */
function failOnTheWay(error: unknown): never {
  throw new webApi.WebAPIRequestError(error instanceof Error ? error : new Error(String(error)));
}

/** The error for a 429. Without a number of seconds it cannot say when to go on, as if there were no answer. */
function limitOf({ headers }: Answer): Error {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  if (Number.isNaN(seconds)) failOnTheWay(new Error('Slack limits calls, but does not say for how long'));
  return new webApi.WebAPIRateLimitedError(seconds);
}

/** How Slack's answers begin; after that they hold the whole message again, which nobody needs. */
const TAKEN = /^\{"ok":true,"channel":"(\w+)","ts":"([\d.]+)"[,}]/;

function resultOf(text: string): webApi.WebAPICallResult {
  const [taken, channel, ts] = TAKEN.exec(text) ?? [];
  if (taken !== undefined) return { ok: true, ...{ channel, ts } };
  const result = parsed(text);
  if (result.ok === true) return result;
  throw new webApi.WebAPIPlatformError({ ...result, error: result.error ?? '' });
}

function parsed(text: string): webApi.WebAPICallResult & { readonly error?: string } {
  try {
    return JSON.parse(text);
  } catch (error) {
    return failOnTheWay(error);
  }
}

/**
 * What Slack's client sends its calls with: `request` of undici, which takes a third of the processor time of its
 * `fetch`. Redirects are not followed; the client takes them for errors. Throws what undici throws.
 */
export function slackFetch(dispatcher: Dispatcher): webApi.FetchFunction {
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    if (body !== undefined && typeof body !== 'string') throw new TypeError('only text is sent to Slack');
    const answer = await request(url, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body ?? null,
      ...(signal === undefined ? {} : { signal }),
    });
    return answerOf(String(url), answer);
  };
}

/** The answer as Slack's client reads it: its body is read once, as one of these. */
function answerOf(url: string, { statusCode, statusText, headers, body }: Dispatcher.ResponseData) {
  return {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText,
    url,
    headers: {
      get: (name: string) => joined(headers[name.toLowerCase()]) ?? null,
      entries: () =>
        Object.entries(headers).map(([name, value]): [string, string] => [name, joined(value) ?? '']),
    },
    text: () => body.text(),
    json: () => body.json(),
    arrayBuffer: () => body.arrayBuffer(),
  };
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
