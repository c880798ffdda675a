import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CustomRoute } from '@slack/bolt';
import type { Metrics } from './metrics.ts';

/** Throws when the bot could not serve a command now; the message says why. */
export type ReadyCheck = () => Promise<void>;

const PLAIN = 'text/plain; charset=utf-8';

/** `GET /healthz` (the process lives), `/readyz` (200 only when it can serve) and `/metrics`. */
export function opsRoutes(isReady: ReadyCheck, metrics: Metrics): CustomRoute[] {
  return [
    route('/healthz', async (response) => send(response, 200, PLAIN, 'ok\n')),
    route('/readyz', async (response) => {
      try {
        await isReady();
        send(response, 200, PLAIN, 'ready\n');
      } catch (error) {
        send(response, 503, PLAIN, `not ready: ${error instanceof Error ? error.message : 'unknown'}\n`);
      }
    }),
    route('/metrics', async (response) => send(response, 200, metrics.contentType, await metrics.text())),
  ];
}

function route(path: string, answer: (response: ServerResponse) => Promise<void>): CustomRoute {
  return {
    path,
    method: 'GET',
    handler: (_request: IncomingMessage, response: ServerResponse) => {
      answer(response).catch(() => send(response, 500, PLAIN, 'error\n'));
    },
  };
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}
