import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

/** Texts from this length on are compressed; ordinary results have 50 to 150 thousand characters. */
const PACKED_FROM = 400_000;
/** The first bytes of gzip (RFC 1952, 2.3.1). JSON never begins with them. */
const GZIP = [0x1f, 0x8b];

/**
 * A text as it is sealed. A large one is compressed, in a thread of Node's pool: to encrypt, store and commit four
 * million characters would delay everybody else by 100 ms.
 */
export async function packed(text: string): Promise<string | Uint8Array> {
  return text.length < PACKED_FROM ? text : promisify(gzip)(text, { level: constants.Z_BEST_SPEED });
}

/** The text that these opened bytes are. Throws what zlib throws if they only begin as gzip does. */
export async function unpacked(bytes: Buffer): Promise<string> {
  const isCompressed = GZIP.every((byte, at) => bytes[at] === byte);
  return (isCompressed ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
}
