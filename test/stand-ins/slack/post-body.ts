import { request } from 'node:http';
import type { DeliveryError } from './model.ts';

/** What came back for a delivery. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly error?: DeliveryError;
  /** The bot asked not to be sent this again. */
  readonly noRetry?: boolean;
  /** Nobody listened there: the bot did not see it. */
  readonly refusedConnection?: boolean;
}

/** Posts a body on a connection of its own; never rejects. */
export function postBody(
  url: string,
  headers: Record<string, string>,
  body: string,
  limitMs: number,
): Promise<Answer> {
  return new Promise((resolve) => {
    let late = false;
    const sent = request(url, { method: 'POST', agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', failed);
      response.on('end', () => {
        clearTimeout(timer);
        const noRetry = response.headers['x-slack-no-retry'] === '1';
        resolve({ status: response.statusCode ?? 0, body: text, noRetry });
      });
    });
    const timer = setTimeout(() => {
      late = true;
      sent.destroy();
    }, limitMs);
    function failed(error?: NodeJS.ErrnoException): void {
      clearTimeout(timer);
      const refusedConnection = error?.code === 'ECONNREFUSED';
      resolve({ status: 0, body: '', error: late ? 'timeout' : 'unreachable', refusedConnection });
    }
    sent.on('error', failed);
    sent.on('close', () => failed());
    sent.end(body);
  });
}
