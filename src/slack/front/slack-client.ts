import { type Logger, webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';
import { CannotStart, errorCode } from '../../core/faults.ts';
import { codeOf, isRefused } from '../delivery/slack-errors.ts';

export type ClientOptions = {
  /** The URL of the Web API, with a trailing slash. */
  readonly apiUrl: string;
  /** The agent for every call to Slack; it knows the proxies and extra certificate authorities. */
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
  /** Called with the HTTP status of each answer; `refused` if Slack refused the token, `none` without an answer. */
  readonly onAnswer: (status: number | 'refused' | 'none') => void;
};

type Result = webApi.WebAPICallResult & { readonly error?: string };

/** How long a call may take. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Slack's error codes for a token that it refuses (https://docs.slack.dev/reference/methods/auth.test#errors). */
const REFUSED = ['account_inactive', 'invalid_auth', 'not_authed', 'token_expired', 'token_revoked'];

/**
 * The client for all calls to Slack. It sends a call once, because the queues decide about retries, and throws the
 * errors of Slack's own client. It replaces that client's HTTP code for speed: that code copies every message for debug
 * logging (a tenth of an answer's processor time), and undici's `request` takes a third of the time of `fetch`.
 */
export class SlackClient extends webApi.WebClient {
  readonly #options: ClientOptions;
  #refusal: string | undefined;

  constructor(token: string, options: ClientOptions) {
    super(token, { slackApiUrl: options.apiUrl, logger: options.logger });
    this.#options = options;
  }

  /** Slack's error code if its last answer refused the token; else undefined. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  override async apiCall(method: string, args: object = {}): Promise<webApi.WebAPICallResult> {
    const { logger, onAnswer } = this.#options;
    logger.debug(`apiCall('${method}') start`);
    const { statusCode, statusText, text, result, retryAfter } = await this.#post(method, args).catch(
      (error: unknown) => {
        onAnswer('none');
        throw new webApi.WebAPIRequestError(error instanceof Error ? error : new Error(String(error)));
      },
    );
    if (result !== undefined) this.#refusal = REFUSED.find((code) => code === result.error);
    onAnswer(result && this.#refusal ? 'refused' : statusCode);
    if (statusCode === 429) throw new webApi.WebAPIRateLimitedError(retryAfter);
    if (result === undefined) throw new webApi.WebAPIHTTPError(statusCode, statusText, {}, text);
    for (const problem of result.response_metadata?.messages ?? []) logger.warn(problem);
    if (!result.ok) throw new webApi.WebAPIPlatformError({ error: '', ...result });
    logger.debug(`apiCall('${method}') end`);
    return result;
  }

  /** Throws the errors of undici; Slack may have carried out the call all the same, for example after a timeout. */
  async #post(method: string, args: object) {
    const { apiUrl, dispatcher } = this.#options;
    const isJson = TAKES_JSON.test(method);
    const { statusCode, statusText, headers, body } = await request(`${apiUrl}${method}`, {
      dispatcher,
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': isJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded',
      },
      body: isJson ? JSON.stringify(args) : formOf(args),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await body.text();
    const result = statusCode === 200 ? resultIn(text, method, args) : undefined;
    const retryAfter = Number.parseInt(String(headers['retry-after']), 10);
    if (statusCode === 429 && Number.isNaN(retryAfter)) throw new TypeError('Slack names no end of a pause');
    return { statusCode, statusText, text, result, retryAfter };
  }
}

/** The methods whose answers contain the whole message again. */
const COPIES = /^chat\.(?:postMessage|update)$/;
const TAKEN = /^\{"ok":true/;
const CHANNEL = /"channel":"(\w{1,40})"/;
const TS = /"ts":"([\d.]{1,40})"/;
/** Matches warnings of Slack. The text of a message can't match, because a backslash precedes its quotation marks. */
const MORE = /"response_metadata":/;

/**
 * Reads an answer. Takes only channel and timestamp from the copy of a message, since parsing it would cost a twentieth
 * of the processor time. The answer to a reply is parsed, because only the copy shows whether it is in its thread.
 */
function resultIn(text: string, method: string, args: object): Result {
  const isCopy = COPIES.test(method) && TAKEN.test(text) && !('thread_ts' in args);
  if (!isCopy || MORE.test(text)) return JSON.parse(text);
  const [, channel] = CHANNEL.exec(text) ?? [];
  const [, ts] = TS.exec(text) ?? [];
  if (channel === undefined || ts === undefined) return JSON.parse(text);
  return Object.assign({ ok: true }, { channel, ts });
}

/** The methods that take JSON (https://docs.slack.dev/apis/web-api#post-json); all others take a form. */
const TAKES_JSON = /^(?:chat\.(?:delete|postEphemeral|postMessage|unfurl|update)|views\.\w+)$/;

function formOf(args: object): string {
  const fields = Object.entries(args)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
  return new URLSearchParams(fields).toString();
}

/** The setting that holds the token. */
type TokenName = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Slack rejects the token. `code`: Slack's error code (https://docs.slack.dev/reference/methods/auth.test#errors). */
export class TokenRejected extends CannotStart {
  constructor(token: TokenName, code: string, options: ErrorOptions) {
    super(
      token,
      `Slack rejects this token (${code})`,
      'copy it again from https://api.slack.com/apps, your app; uninstalling the app revokes its tokens',
      options,
    );
  }
}

/** Slack could not be reached, or answered with an HTTP error. `reason`: a network error code or the status. */
class SlackUnreachable extends CannotStart {
  constructor(reason: string, options: ErrorOptions) {
    super(
      'SLACK_API_URL',
      `Slack could not be reached (${reason})`,
      'check the network, the name server and the proxy settings (HTTPS_PROXY, NO_PROXY), then start again',
      options,
    );
  }
}

/** Does work that needs a token, and turns its errors into `TokenRejected` or `SlackUnreachable`. */
export async function withToken<T>(token: TokenName, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = codeOf(cause);
    if (code !== undefined && isRefused(cause)) throw new TokenRejected(token, code, { cause });
    const reason = code ?? reasonOf(cause);
    throw reason === undefined ? cause : new SlackUnreachable(reason, { cause });
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof webApi.WebAPIHTTPError) return `HTTP ${error.statusCode}`;
  if (error instanceof webApi.WebAPIRateLimitedError) return 'HTTP 429';
  return error instanceof webApi.WebAPIRequestError ? errorCode(error.original) : undefined;
}

/** A URL from a delivery or an answer does not belong to Slack, so the bot sends nothing to it. */
export class NotSlack extends Error {
  constructor() {
    super('refused an address that is not Slack’s: it is on another host, or not https');
  }
}

/** Slack's own domains. Their subdomains serve the Web API, response URLs and uploads. */
const DOMAINS = ['slack.com', 'slack-gov.com'];

/**
 * Makes a check that throws `NotSlack` unless a URL is on the host of the Web API. If that host belongs to Slack,
 * Slack's other hosts are allowed, too.
 */
export function slackHosts(apiUrl: string): (address: string) => void {
  const api = new URL(apiUrl);
  const isSlack = isOfSlack(api.hostname);
  return (address) => {
    const url = URL.parse(address);
    const isThere = url?.host === api.host && url.protocol === api.protocol;
    const isBeside = isSlack && url?.protocol === 'https:' && isOfSlack(url.hostname);
    if (!(isThere || isBeside) || url?.username !== '' || url.password !== '') throw new NotSlack();
  };
}

function isOfSlack(host: string): boolean {
  return DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
