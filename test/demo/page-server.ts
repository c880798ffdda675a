import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { perform } from './actions.ts';
import { type Bundle, bundlePage } from './bundle.ts';
import { openStream } from './page-stream.ts';
import type { PageTarget } from './page-target.ts';

/** A page that is being served. */
export type ServedPage = Awaited<ReturnType<typeof servePageOf>>;

const ADDRESS = '127.0.0.1';
/** A content security policy: the page loads everything from this server, and injected text can't load or run anything. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Snapshot Bot in a small Slack</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body>
</html>
`;

/** Serves the page on loopback, on the preferred port or, if that is taken, on another. */
export async function servePageOf(target: PageTarget, preferredPort: number) {
  const bundle = bundlePage();
  bundle.catch(() => {});
  const streams = new Map<ServerResponse, () => void>();
  const context: Context = { target, bundle, streams };
  const server = createServer((request, response) => {
    answer(request, response, context).catch((error: unknown) => {
      send(response, 500, 'text/plain', `The demo itself failed: ${String(error)}`);
    });
  });
  await listen(server, preferredPort);
  await bundle;
  return {
    address: `http://${ADDRESS}:${portOf(server)}`,
    async close() {
      for (const stream of streams.keys()) stream.end();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Context {
  readonly target: PageTarget;
  readonly bundle: Promise<Bundle>;
  /** The open pages, each with a function that sends it the present state. */
  readonly streams: Map<ServerResponse, () => void>;
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, ADDRESS);
  try {
    await once(server, 'listening');
  } catch {
    server.listen(0, ADDRESS);
    await once(server, 'listening');
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  if (!isOurs(request)) return send(response, 403, 'text/plain', 'Only for this machine.');
  const url = new URL(request.url ?? '/', 'http://page');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return send(response, 200, 'text/html; charset=utf-8', HTML);
    case 'GET /page.js':
      return send(response, 200, 'text/javascript; charset=utf-8', (await context.bundle).script);
    case 'GET /page.css':
      return send(response, 200, 'text/css; charset=utf-8', (await context.bundle).style);
    case 'GET /events':
      response.once('close', () => context.streams.delete(response));
      context.streams.set(response, openStream(response, context.target, url.searchParams.get('as') ?? ''));
      return;
    case 'POST /action':
      return takeAct(request, response, context);
    default:
      return send(response, 404, 'text/plain', 'There is nothing here.');
  }
}

/**
 * Whether a request comes from our page. Another site can make a browser send one under its own host name or with a
 * form.
 */
function isOurs({ headers, socket, method }: IncomingMessage): boolean {
  const hosts = [`${ADDRESS}:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (!hosts.includes(headers.host ?? '')) return false;
  if (method !== 'POST') return true;
  const isOwnOrigin = hosts.some((host) => headers.origin === `http://${host}`);
  return isOwnOrigin && headers['content-type'] === 'application/json';
}

async function takeAct(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const done = await perform(context.target, await json(request).catch(() => undefined));
  if (done === undefined) return send(response, 400, 'application/json', '{"problem":"That is no action."}');
  for (const tell of context.streams.values()) tell();
  send(response, 200, 'application/json', JSON.stringify(done));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(body);
}
