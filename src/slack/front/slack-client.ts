import type { webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';

/**
 * What Slack's client sends its calls with: `request` of undici, which takes a third of the processor time of its
 * `fetch`. Redirects are not followed; the client takes them for errors. Throws what undici throws, also where an answer
 * ends early or can't be read: the client would take that for a refusal, and nobody knows what became of the call.
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

/** Whether it is JSON, and a limit says for how long. */
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
