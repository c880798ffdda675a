import { webApi } from '@slack/bolt';

/** One call of the bot: the method of the Web API, and what it was given. */
export type ScriptedCall = { readonly method: string; readonly args: Readonly<Record<string, unknown>> };

/** What Slack answers to a call: fields beside `ok`, the code of a refusal, an error of the network, or a whole answer. */
export type ScriptedAnswer = object | string | Error | Response;

/**
 * Slack's real client, and in place of Slack a function that a test gives: for parts that only call the Web API. Calls
 * are listed in their order.
 */
export function scriptedSlack(
  answer: (call: ScriptedCall) => ScriptedAnswer | Promise<ScriptedAnswer> = () => ({}),
) {
  const calls: ScriptedCall[] = [];
  const client = new webApi.WebClient('xoxb-test', {
    slackApiUrl: 'https://slack.test/api/',
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: 'error' as webApi.LogLevel,
    fetch: async (url, init) => {
      const method = String(url).slice('https://slack.test/api/'.length);
      const call = { method, args: Object.fromEntries(fieldsOf(String(init?.body ?? ''))) };
      calls.push(call);
      const answered = await answer(call);
      if (answered instanceof Error) throw answered;
      if (answered instanceof Response) return answered;
      const body = typeof answered === 'string' ? { ok: false, error: answered } : { ok: true, ...answered };
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
    },
  });
  return { client, calls, methods: () => calls.map(({ method }) => method) };
}

function fieldsOf(body: string): [string, unknown][] {
  return [...new URLSearchParams(body)].map(([name, text]) => [
    name,
    /^[[{]/.test(text) ? JSON.parse(text) : text,
  ]);
}
