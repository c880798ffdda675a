import { request } from 'node:http';
import { actAt, stopwatch } from '../standstill.ts';
import type { DeliveryError } from './model.ts';

/** The bot's answer to a delivery, or why there is none. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly error?: DeliveryError;
  /** Whether nothing listened at the address, so that the bot did not see the delivery. */
  readonly refusedConnection?: boolean;
}

/** Posts a body over a new connection; never rejects. `limitMs` counts only time in which the machine runs the bot. */
export function postBody(
  url: string,
  headers: Record<string, string>,
  body: string,
  limitMs: number,
  pids: Iterable<number> = [],
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
        cancel();
        resolve({ status: response.statusCode ?? 0, body: text });
      });
    });
    const cancel = actAt(limitMs, stopwatch(pids), () => {
      late = true;
      sent.destroy();
    });
    function failed(error?: NodeJS.ErrnoException): void {
      cancel();
      const refusedConnection = error?.code === 'ECONNREFUSED';
      const lost = refusedConnection ? 'unreachable' : 'cut-off';
      resolve({ status: 0, body: '', error: late ? 'timeout' : lost, refusedConnection });
    }
    sent.on('error', failed);
    sent.on('close', () => failed());
    sent.end(body);
  });
}
