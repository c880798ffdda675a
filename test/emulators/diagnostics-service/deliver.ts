import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Misbehaviour, Reply } from './types.ts';

const TRICKLE_MS = 20;
const HUGE_CHUNK = Buffer.alloc(64 * 1024, ' ');

/** Sends an answer with its length. */
export function sendReply(response: ServerResponse, { status, headers, body = '' }: Reply): void {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { ...headers, 'content-length': content.length });
  response.end(content);
}

/** Misbehaves instead of sending `reply`, until the client disconnects or the server closes. */
export function misbehave(
  response: ServerResponse,
  how: Misbehaviour,
  { status, headers, body = '' }: Reply,
  reset: () => void,
): void {
  if (how === 'hang') return;
  if (how === 'reset') {
    reset();
    return;
  }

  const content = Buffer.from(body);
  if (how === 'truncate') {
    response.writeHead(status, { ...headers, 'content-length': content.length + 1_000 });
    response.write(content.subarray(0, Math.ceil(content.length / 2)), () => response.socket?.destroy());
    return;
  }
  response.writeHead(status, headers);
  if (how === 'trickle') {
    const timer = setInterval(() => response.write(' '), TRICKLE_MS);
    response.on('close', () => clearInterval(timer));
  } else if (how === 'huge') {
    pipeline(Readable.from(endlessSpaces()), response, () => undefined);
  } else {
    response.write(content.subarray(0, Math.ceil(content.length / 2)));
  }
}

function* endlessSpaces(): Generator<Buffer> {
  while (true) yield HUGE_CHUNK;
}
