import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { VERSION } from '../config/config.ts';
import { errorCode } from '../core/faults.ts';
import { oneLine } from '../core/texts.ts';
import { atMostEvery } from '../core/time.ts';

/** The answer of `/readyz`. A bot with problems is still ready if it can serve commands. */
export type Readiness = {
  readonly ready: boolean;
  /** The current problems, each as a sentence without secrets. */
  readonly reasons: readonly { readonly part: string; readonly problem: string }[];
};

/** The checks of all parts; each returns the problem of its part, or undefined. An error counts as a problem. */
type HealthChecks = Readonly<Record<string, () => Promise<string | undefined>>>;

/** The parts whose problems make the bot unready. A refused login does not, because users are told about it. */
const ESSENTIAL: ReadonlySet<string> = new Set(['store', 'slack']);

/** The message of an error and of its cause: only the cause distinguishes a full disk from an unavailable Redis. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it could not be checked';
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${oneLine(cause.message) || errorCode(cause)})` : message;
}

/** Runs all checks at once. Does not throw. */
export async function readinessOf(checks: HealthChecks): Promise<Readiness> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => {
      const problem = await check().catch(reasonOf);
      return problem === undefined ? [] : [{ part, problem }];
    }),
  );
  const reasons = found.flat();
  return { ready: !reasons.some(({ part }) => ESSENTIAL.has(part)), reasons };
}

/** A lookup that ended with a fault: when (epoch milliseconds), its code, and the reference to find it in the log. */
type RecentFault = { readonly at: number; readonly code: string; readonly reference: string };

const MOST_FAULTS = 10;

/** Recent events of this process: faults, and upstreams that fail. */
export function recentEvents(now: () => number) {
  const faults: RecentFault[] = [];
  const failing = new Map<string, string>();
  return {
    noteFault: (code: string, reference: string) => {
      faults.unshift({ at: now(), code, reference });
      faults.splice(MOST_FAULTS);
    },
    noteAnswer: (upstream: 'diagnostics service' | 'login servers', status: number | 'none') => {
      const what = status === 'none' ? 'no answer' : `status ${status}`;
      if (status !== 'none' && status < 500) failing.delete(upstream);
      else if (!failing.has(upstream))
        failing.set(upstream, `${what} since ${new Date(now()).toISOString()}`);
    },
    /** The latest ten faults, newest first. */
    faults: (): readonly RecentFault[] => [...faults],
    /** How each upstream began to fail that fails now. The bot stays ready, because users are told about it. */
    checks: (): HealthChecks =>
      Object.fromEntries(failing.entries().map(([part, problem]) => [part, async () => problem])),
  };
}

export type Route = {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
};

/** Requests within this time share one answer, because anybody who reaches the port can send many. Milliseconds. */
const ANSWERS_APART_MS = 100;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The routes `GET /healthz` (the process is alive), `/readyz` (200 if it can serve a command, else 503) and `/metrics`.
 * `readiness` must not throw.
 */
export function opsRoutes(
  readiness: () => Promise<Readiness>,
  metrics: { readonly contentType: string; text(): Promise<string> },
): Route[] {
  const readinessNow = atMostEvery(ANSWERS_APART_MS, readiness);
  const metricsNow = atMostEvery(ANSWERS_APART_MS, () => metrics.text());
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/healthz': async (response) =>
      send(response, 200, { status: 'ok', version: VERSION, uptimeSeconds: Math.round(process.uptime()) }),
    '/readyz': async (response) => {
      const state = await readinessNow();
      send(response, state.ready ? 200 : 503, state);
    },
    '/metrics': async (response) => send(response, 200, await metricsNow(), metrics.contentType),
  };
  // Some monitors use HEAD, for which Node omits the body.
  return (['GET', 'HEAD'] as const).flatMap((method) =>
    Object.entries(answers).map(([path, answer]) => ({
      ...{ method, path },
      handler: (_request, response) =>
        void answer(response).catch(() => send(response, 500, { status: 'error' })),
    })),
  );
}

function send(response: ServerResponse, status: number, body: object | string, type = JSON_TYPE): void {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

const MOST_CONNECTIONS = 200;
/** How long a request may take: a slow client is disconnected. Milliseconds. */
const REQUEST_WITHIN_MS = 5_000;

/** A server for these routes; every other request gets 404. Starts nothing. */
export function createOpsServer(port: number, routes: readonly Route[]) {
  let server: Server | undefined;
  const serve: RequestListener = (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const found = routes.find((route) => route.path === path && route.method === request.method);
    if (found !== undefined) return found.handler(request, response);
    response.writeHead(404).end();
  };
  return {
    /** Throws if the port can't be used. */
    start: async () => {
      // Loaded here, because a static import would also load Node's copy of undici, 10 MB that nothing else needs.
      const { createServer } = await import('node:http');
      server = createServer({ requestTimeout: REQUEST_WITHIN_MS }, serve);
      server.maxConnections = MOST_CONNECTIONS;
      await once(server.listen(port), 'listening');
    },
    stop: async () => {
      if (server?.listening !== true) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    /** The port that the server listens on, even if the configured port was 0. */
    port: (): number => {
      const address = server?.address();
      return typeof address === 'object' ? (address?.port ?? port) : port;
    },
  };
}
