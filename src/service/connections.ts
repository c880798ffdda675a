import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import PQueue from 'p-queue';
import { AbortError } from 'p-retry';
import type { Dispatcher } from 'undici';
import { errorCode } from '../core/errors.ts';
import { TooLarge, type Unreachable, type UnreachableReason } from '../core/faults.ts';

/** The largest body that is read. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** A body beyond this counts as large. Real documents have 25 to 300 KB. */
const LARGE_FROM_BYTES = 1024 * 1024;
/**
 * How many large bodies are received at once. The others wait after their first megabyte, without reading from the
 * network.
 */
const LARGE_AT_ONCE = 2;

/**
 * Receives bodies within bounded memory, however many come at once: gives what `read` makes of a whole body; a large one
 * waits until there is room. Throws what `failed` gives for an error of the connection or a `TooLarge`, and what `read`
 * throws.
 */
export function bodyReceiver() {
  const large = new PQueue({ concurrency: LARGE_AT_ONCE });
  return async <T>(
    body: Readable,
    read: (body: Uint8Array) => T | Promise<T>,
    failed = (error: unknown) => error,
  ): Promise<T> => {
    const fail = (error: unknown) => {
      throw failed(error);
    };
    const received = receivedOf(body[Symbol.asyncIterator]());
    const readUnzipped = async (whole: Uint8Array) => read(await unzipped(whole).catch(fail));
    if (await received.take(LARGE_FROM_BYTES).catch(fail)) {
      const whole = received.whole();
      // What is compressed may be large.
      return isZipped(whole) ? large.add(() => readUnzipped(whole)) : read(whole);
    }
    return large.add(async () => {
      if (await received.take(MAX_BODY_BYTES).catch(fail)) return readUnzipped(received.whole());
      // Also ends the connection.
      body.destroy();
      throw failed(new TooLarge(MAX_BODY_BYTES));
    });
  };
}

function isZipped([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** A body that a proxy compressed although nobody asked for that; every other one as it is. */
async function unzipped(body: Uint8Array): Promise<Uint8Array> {
  if (!isZipped(body)) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge(MAX_BODY_BYTES) : error;
  }
}

/**
 * The bytes of a body. Those of a large one are in memory that grows in place, where each chunk is copied once, when it
 * comes: joining 30 MB at the end would hold the event loop for 100 ms.
 */
function receivedOf(chunks: AsyncIterator<Buffer>) {
  /** The chunks of most bodies: these are joined at the end. */
  let small: Buffer[] = [];
  let memory: ArrayBuffer | undefined;
  let size = 0;
  const moveToMemory = () => {
    memory ??= new ArrayBuffer(0, { maxByteLength: MAX_BODY_BYTES + LARGE_FROM_BYTES });
    for (const chunk of small) {
      const start = memory.byteLength;
      memory.resize(start + chunk.length);
      new Uint8Array(memory, start).set(chunk);
    }
    small = [];
  };
  return {
    /** Takes chunks until the body ends, which gives true, or until more than `limit` bytes are received. */
    take: async (limit: number): Promise<boolean> => {
      while (size <= limit) {
        const { done, value } = await chunks.next();
        if (done === true) return true;
        size += value.length;
        small.push(value);
        if (size > LARGE_FROM_BYTES) moveToMemory();
      }
      return false;
    },
    /** All bytes; nothing may be taken afterwards. */
    whole: (): Uint8Array => (memory === undefined ? Buffer.concat(small) : new Uint8Array(memory, 0, size)),
  };
}

/** A host to which no connection can be made: since when, why, and when the next one is tried (`performance.now()`). */
type Away = { readonly since: number; readonly fault: Unreachable; readonly tryAt: number };

/** The pause between two connections that are tried to a host that is away. Milliseconds. */
const TRY_AGAIN_MS = 500;

/**
 * Hosts that can't be connected to. One that is away for longer than `longMs` milliseconds is tried by one request at a
 * time, for all: a new TLS connection and a look-up of the name for each of a thousand lookups would keep the processor
 * busy.
 */
export function awayHosts(longMs: number) {
  const hosts = new Map<string, Away>();
  return {
    /**
     * To be called before a connection is tried. Throws the last fault, in an `AbortError` so that nobody tries again,
     * while the host is not to be tried or another request tries it.
     */
    claimTry: (host: string) => {
      const away = hosts.get(host);
      const now = performance.now();
      if (away === undefined || now - away.since < longMs) return;
      if (now < away.tryAt) throw new AbortError(away.fault);
      hosts.set(host, { ...away, tryAt: Number.POSITIVE_INFINITY });
    },
    /** A request is on a connection. */
    reached: (host: string) => void hosts.delete(host),
    /** No connection could be made. */
    missed: (fault: Unreachable) => {
      const now = performance.now();
      const since = hosts.get(fault.host)?.since ?? now;
      hosts.set(fault.host, { since, fault, tryAt: now + TRY_AGAIN_MS });
    },
  };
}

const TIMEOUT = /TIMEOUT|ETIMEDOUT|TimeoutError/;
const NAME = /ENOTFOUND|EAI_AGAIN/;
const CERTIFICATE = /CERT|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|SSL_ERROR/;
const ENDED_EARLY = /UND_ERR_SOCKET|ECONNRESET|CONTENT_LENGTH|Z_BUF_ERROR/;
/** No HTTP, headers without end, or a compressed body that is damaged. */
const UNDECODABLE = /HPE_|HEADERS_OVERFLOW|Z_DATA_ERROR/;

/** Why a request got no answer, judged by the codes of its error. */
export function unreachableReason(error: unknown): UnreachableReason {
  const described = describe(error);
  if (TIMEOUT.test(described)) return 'timeout';
  if (NAME.test(described)) return 'name';
  if (CERTIFICATE.test(described)) return 'certificate';
  if (UNDECODABLE.test(described)) return 'undecodable';
  return ENDED_EARLY.test(described) ? 'ended-early' : 'connection';
}

/** The codes of an error and of its causes, because undici wraps the socket's error. */
function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  const code = 'code' in error ? String(error.code) : '';
  const inner = error instanceof AggregateError ? error.errors.map((each) => describe(each, depth + 1)) : [];
  return [error.name, code, ...inner, describe(error.cause, depth + 1)].join(' ');
}

/**
 * Calls `check` at the moment at which a request is written to its connection, which may have taken long to open. If it
 * throws, the request is not written and fails with that error.
 */
export function whenWritten(check: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        check();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    });
}
