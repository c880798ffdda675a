import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Json, record } from '../json.ts';
import type { SlackOptions } from '../setup.ts';
import { type Slack, startSlack } from '../slack.ts';

/** One delivery that the bare bot got. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An emulator that delivers to a server without Bolt, which records each delivery and answers it with a function. */
export type BareBot = Awaited<ReturnType<typeof startBareBot>>;

type Handler = (response: ServerResponse, received: Received) => void;

const acknowledge: Handler = (response) => response.end();

/** Starts an emulator and a bare HTTP server that it delivers to. */
export async function startBareBot(options: SlackOptions = {}, handler: Handler = acknowledge) {
  const slack = await startSlack(options);
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const got = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(got);
    handler(response, got);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const eventsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
  slack.deliverTo(eventsUrl);
  return {
    slack,
    received,
    eventsUrl,
    /** Calls a method as WebClient does, with the bot's token. */
    call: (method: string, args: Json = {}, token: string | null = slack.botToken) =>
      callApi(slack, method, args, token),
    /** Posts JSON to a response URL. */
    respond: postJson,
    async close() {
      await slack.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function callApi(slack: Slack, method: string, args: Json, token: string | null): Promise<Json> {
  const fields = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]);
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, ...record(await response.json()) };
}

async function postJson(url: unknown, body: Json): Promise<{ status: number; body: string }> {
  const response = await fetch(String(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.text() };
}
