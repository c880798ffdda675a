import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gunzip } from 'node:zlib';
import { lazily } from '../../core/single-flight.ts';

/** Texts from this length on are compressed; ordinary results have 50 to 150 thousand characters. */
const PACKED_FROM = 400_000;
/** The first bytes of gzip (RFC 1952, 2.3.1). JSON never begins with them. */
const GZIP = [0x1f, 0x8b];

/** Loaded with the first value that can be large. */
const loadChunked = lazily(() => import('@discoveryjs/json-ext'));

/**
 * The JSON of a value that can be large, written in pieces. A long one is compressed in a thread of Node's pool, and
 * others get their turn between its pieces: four million characters at once would delay everybody else by 100 ms.
 */
export async function packed(value: unknown): Promise<string | Uint8Array> {
  const { stringifyChunked } = await loadChunked();
  const rest = stringifyChunked(value, {});
  const pieces: string[] = [];
  let length = 0;
  while (length < PACKED_FROM) {
    const { done, value: piece } = rest.next();
    if (done === true) return pieces.join('');
    pieces.push(piece);
    length += piece.length;
  }
  const all = function* () {
    yield* pieces;
    yield* rest;
  };
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const [content] = await Promise.all([buffer(gzip), pipeline(Readable.from(all()), gzip)]);
  return content;
}

/** The text that these opened bytes are. Throws what zlib throws if they only begin as gzip does. */
export async function unpacked(bytes: Buffer): Promise<string> {
  const isCompressed = GZIP.every((byte, at) => bytes[at] === byte);
  return (isCompressed ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
}
