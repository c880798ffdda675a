import type { Readable } from 'node:stream';
import PQueue from 'p-queue';
import { TooLarge } from '../core/faults.ts';

/** The largest body that is read. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** A body beyond this counts as large. Real documents have 25 to 300 KB. */
const LARGE_FROM_BYTES = 1024 * 1024;
/**
 * How many large bodies are received at once. The others wait after their first megabyte, without reading from the
 * network.
 */
const LARGE_AT_ONCE = 2;

type Use<T> = {
  /** Reads the whole body. */
  readonly read: (body: Uint8Array) => T | Promise<T>;
  /** The fault to throw when a body could not be received, for an error of the connection or a `TooLarge`. */
  readonly failed: (error: unknown) => Error;
};

/** Receives bodies within bounded memory, however many come at once. */
export class LargeBodies {
  readonly #large = new PQueue({ concurrency: LARGE_AT_ONCE });

  /**
   * Receives a body and resolves with what `read` makes of it; a large one waits until there is room. Throws what
   * `failed` gives, and what `read` throws.
   */
  async receive<T>(body: Readable, { read, failed }: Use<T>): Promise<T> {
    const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
    const start = await taken(chunks, LARGE_FROM_BYTES, failed);
    if (start.isWhole) return read(start.bytes);
    return this.#large.add(async () => {
      const rest = await taken(chunks, MAX_BODY_BYTES - start.bytes.length, failed);
      if (rest.isWhole) return read(Buffer.concat([start.bytes, rest.bytes]));
      // Also ends the connection.
      body.destroy();
      throw failed(new TooLarge(MAX_BODY_BYTES));
    });
  }
}

type Taken = { readonly bytes: Buffer; readonly isWhole: boolean };

/** Takes chunks until the body ends, or until there are more bytes than `limit`. */
async function taken(
  chunks: AsyncIterator<Buffer>,
  limit: number,
  failed: (error: unknown) => Error,
): Promise<Taken> {
  const received: Buffer[] = [];
  let size = 0;
  try {
    while (size <= limit) {
      const { done, value } = await chunks.next();
      if (done === true) return { bytes: Buffer.concat(received), isWhole: true };
      received.push(value);
      size += value.length;
    }
  } catch (error) {
    throw failed(error);
  }
  return { bytes: Buffer.concat(received), isWhole: false };
}
