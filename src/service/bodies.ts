import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import PQueue from 'p-queue';
import { errorCode } from '../core/errors.ts';
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
    const received = new ReceivedBytes();
    const take = (limit: number) =>
      received.takeFrom(chunks, limit).catch((error: unknown) => {
        throw failed(error);
      });
    const readUnzipped = async (whole: Uint8Array) => read(await unzipped(whole, failed));
    if (await take(LARGE_FROM_BYTES)) {
      const whole = received.whole();
      // What is compressed may be large.
      return isZipped(whole) ? this.#large.add(() => readUnzipped(whole)) : read(whole);
    }
    return this.#large.add(async () => {
      if (await take(MAX_BODY_BYTES)) return readUnzipped(received.whole());
      // Also ends the connection.
      body.destroy();
      throw failed(new TooLarge(MAX_BODY_BYTES));
    });
  }
}

function isZipped([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** A body that a proxy compressed although nobody asked for that; every other one as it is. */
async function unzipped(body: Uint8Array, failed: Use<unknown>['failed']): Promise<Uint8Array> {
  if (!isZipped(body)) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw failed(errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge(MAX_BODY_BYTES) : error);
  }
}

/**
 * The bytes of a body, in memory that grows in place: each chunk is copied once, when it comes. Joining 30 MB at the
 * end would hold the event loop for 100 ms.
 */
class ReceivedBytes {
  /** The small chunks of most bodies: these are joined at the end. */
  #chunks: Buffer[] = [];
  #memory: ArrayBuffer | undefined;
  #size = 0;

  /** Takes chunks until the body ends, which gives true, or until more than `limit` bytes are received. */
  async takeFrom(chunks: AsyncIterator<Buffer>, limit: number): Promise<boolean> {
    while (this.#size <= limit) {
      const { done, value } = await chunks.next();
      if (done === true) return true;
      this.#size += value.length;
      this.#chunks.push(value);
      if (this.#size > LARGE_FROM_BYTES) this.#moveToMemory();
    }
    return false;
  }

  /** All bytes; nothing may be added afterwards. */
  whole(): Uint8Array {
    return this.#memory === undefined
      ? Buffer.concat(this.#chunks)
      : new Uint8Array(this.#memory, 0, this.#size);
  }

  #moveToMemory(): void {
    this.#memory ??= new ArrayBuffer(0, { maxByteLength: MAX_BODY_BYTES + LARGE_FROM_BYTES });
    for (const chunk of this.#chunks) {
      const start = this.#memory.byteLength;
      this.#memory.resize(start + chunk.length);
      new Uint8Array(this.#memory, start).set(chunk);
    }
    this.#chunks = [];
  }
}
