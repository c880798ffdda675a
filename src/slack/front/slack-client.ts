import { webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';
import { CannotStart, errorCode } from '../../core/errors.ts';
import { codeOf, isRefused } from '../delivery/slack-errors.ts';

/**
 * What Slack's client sends its calls with: `request` of undici, which takes a third of the processor time of its
 * `fetch`. Redirects are not followed; the client takes them for errors. Throws what undici throws, also where an answer
 * ends early or can't be read: the client would take that for a refusal, though Slack may have done what was asked.
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
    const text = await answer.body.text();
    if (!isReadable(answer, text))
      throw new TypeError(`an answer of Slack can't be read (${answer.statusCode})`);
    return answerOf(String(url), answer, text);
  };
}

/** Whether a 200 is JSON, or a 429 says for how long. */
function isReadable({ statusCode, headers }: Dispatcher.ResponseData, text: string): boolean {
  if (statusCode === 429) return /^\d/.test(joined(headers['retry-after']) ?? '');
  return statusCode !== 200 || text.startsWith('{');
}

/** The answer as Slack's client reads it. */
function answerOf(url: string, { statusCode, statusText, headers }: Dispatcher.ResponseData, text: string) {
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
    text: async () => text,
    json: async () => JSON.parse(text),
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  };
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** An address from a payload or an answer is not Slack's: nothing is sent there. */
export class NotSlack extends Error {
  constructor() {
    super('refused an address that is not Slack’s: it is on another host, or not https');
  }
}

/** Slack's own domains: hosts below them serve the Web API, response URLs and uploads. */
const DOMAINS = ['slack.com', 'slack-gov.com'];

/**
 * Gives what throws `NotSlack` unless an address is on a host of Slack, or on the one that the Web API is at: if that is
 * not Slack's own, it is the only one.
 */
export function slackHosts(apiUrl: string): (address: string) => void {
  const api = new URL(apiUrl);
  const isSlack = DOMAINS.some((domain) => isWithin(api.hostname, domain));
  return (address) => {
    const url = URL.parse(address);
    const isThere = url?.host === api.host && url.protocol === api.protocol;
    const isBeside =
      isSlack && url?.protocol === 'https:' && DOMAINS.some((domain) => isWithin(url.hostname, domain));
    if (!(isThere || isBeside) || url?.username !== '' || url.password !== '') throw new NotSlack();
  };
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The variable that holds the token. */
type TokenName = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Slack rejects a token, with this error code (https://docs.slack.dev/reference/methods/auth.test#errors). */
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

/** Slack gave no usable answer: no connection, or an HTTP error. `reason` is a short code of the network or a status. */
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

/** Does work that needs a token; turns the client's errors into `TokenRejected` or `SlackUnreachable`. */
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
