import type { IncomingMessage, RequestListener, ServerOptions, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type CustomRoute, HTTPReceiver, type Logger } from '@slack/bolt';
import { bounded, oneRequestAtATime } from '../../core/bounded-server.ts';
import { portUnusable } from '../../core/errors.ts';

const PATH = '/slack/events';
/**
 * After this time a delivery that nobody has acknowledged is answered anyway. Slack hangs up after three seconds, so it
 * does not read that answer; until then, a bot that was delayed can still acknowledge. Milliseconds.
 */
const UNACKNOWLEDGED_MS = 30_000;

export type HttpOptions = {
  readonly port: number;
  /** How long deliveries are still taken after a stop has begun: the load balancer learns of it a little later. */
  readonly shutdownDelayMs: number;
  /** Routes beside Slack's own. */
  readonly routes: readonly CustomRoute[];
  readonly logger: Logger;
};

/** Listens on a port, to which Slack sends signed requests. `refused` logs an error; whether it was no delivery of Slack. */
export function overHttp(
  { port, shutdownDelayMs, routes, logger }: HttpOptions,
  signingSecret: string,
  refused: (error: unknown) => boolean,
) {
  const requestLog = sparingLog(logger);
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: PATH,
    customRoutes: [...routes],
    logger: requestLog,
    processEventErrorHandler: async ({ error, response }) => {
      const status = refused(error) ? 400 : 500;
      if (!response.headersSent) response.writeHead(status).end();
      return false;
    },
    unhandledRequestTimeoutMillis: UNACKNOWLEDGED_MS,
    // Bolt goes on waiting for the acknowledgement of a delivery that was refused: that one has its answer.
    unhandledRequestHandler: ({ response }) => {
      if (response.headersSent) return;
      logger.error('a delivery of Slack was not acknowledged');
      response.writeHead(404).end();
    },
  });
  receiver.requestListener = withLimits(receiver.requestListener, requestLog);
  let listeningOn = 0;
  let isOpen = false;
  return {
    receiver,
    start: async () => {
      const server = await receiver.start(port, SERVER_OPTIONS).catch((error: unknown) => {
        throw portUnusable('PORT', port, error);
      });
      const address = bounded(server, BOUNDS).address();
      listeningOn = typeof address === 'object' && address !== null ? address.port : port;
      isOpen = true;
    },
    stop: async () => {
      if (!isOpen) return;
      isOpen = false;
      await delay(shutdownDelayMs);
      await receiver.stop();
    },
    isListening: () => isOpen,
    port: () => listeningOn,
  };
}

/** Time limits of a request: Slack sends a delivery at once and whole. Milliseconds. */
export const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
/** A connection stays longer than the bot may take to answer. */
export const BOUNDS = { connections: 1_000, idleMs: 60_000 };
/** The largest body. Slack's largest delivery, a filled-in view, takes less than half of it. */
const LARGEST_BODY = 512 * 1_024;
/** The most memory for all unfinished requests together. */
const MOST_HELD = 32 * 1_024 * 1_024;
/** The most lines that strangers can write into the log in a minute. */
const MOST_LINES = 20;
const MINUTE_MS = 60_000;
const PAYLOAD = /(?:^|&)payload=([^&]{0,60})/;

/**
 * Wraps Bolt's own listener. Reads the body of a delivery, up to 512 KB and 32 MB for all together, and answers
 * requests at which Bolt would throw without a catch: an invalid URL, and a body that is not a JSON object.
 */
export function withLimits(listener: RequestListener, logger: Logger): RequestListener {
  let held = 0;
  const read = async (request: IncomingMessage): Promise<Buffer | number> => {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request) {
        size += chunk.length;
        held += chunk.length;
        if (size > LARGEST_BODY) return 413;
        if (held > MOST_HELD) return 503;
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      held -= size;
    }
  };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await read(request);
    const status = typeof body === 'number' ? body : holdsAnObject(request, body) ? undefined : 400;
    if (status === undefined) return listener(Object.assign(request, { rawBody: body }), response);
    logger.warn(`refused a request with status ${status}: it is too large, or not a delivery of Slack`);
    refuse(response, status);
  };
  return oneRequestAtATime((request, response) => {
    const address = URL.parse(request.url ?? '', 'http://localhost');
    if (address === null) return refuse(response, 404);
    // Bolt throws at an unknown path, and catches that at this call.
    if (request.method !== 'POST' || address.pathname !== PATH) return listener(request, response);
    // A client that aborts its request waits for no answer.
    receive(request, response).catch(() => response.destroy());
  });
}

/** The same log for what anybody can cause: 20 warnings and errors a minute, then one that says that there are more. */
export function sparingLog(logger: Logger): Logger {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  const atMost =
    (write: Logger['warn']) =>
    (...line: unknown[]) => {
      const now = performance.now();
      if (now - since >= MINUTE_MS) [since, lines] = [now, 0];
      lines += 1;
      if (lines < MOST_LINES) write(...line);
      if (lines === MOST_LINES) write(...line, 'Further lines about requests are left out for a minute.');
    };
  return { ...logger, warn: atMost(logger.warn), error: atMost(logger.error) };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end();
}

/** Whether the body, or the field `payload` of a form, begins as a JSON object does. A form without it is a command. */
function holdsAnObject({ headers }: IncomingMessage, body: Buffer): boolean {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded')
    return firstOf(body.toString('utf8', 0, 60)) === '{';
  const payload = PAYLOAD.exec(body.toString())?.[1];
  return (
    payload === undefined || firstOf(new URLSearchParams(`payload=${payload}`).get('payload') ?? '') === '{'
  );
}

function firstOf(json: string): string {
  return json.trimStart().charAt(0);
}
