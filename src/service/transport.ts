import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import PQueue from 'p-queue';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import {
  errorCode,
  fault,
  isFault,
  Stopping,
  type UnreachableReason,
  type Upstream,
} from '../core/faults.ts';

/** Timeouts in milliseconds. `wholeMs` limits the whole request, because `bodyMs` only limits each pause in a body. */
export const HTTP_TIMEOUTS = { connectMs: 10_000, headersMs: 30_000, bodyMs: 30_000, wholeMs: 120_000 };
export type HttpTimeouts = Readonly<typeof HTTP_TIMEOUTS>;

/** The largest body in bytes, also after decompression. Real documents have 25 to 300 KB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The proxy variables of the environment. */
export type ProxySettings = {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: string | undefined;
};

export type HttpRequest = {
  readonly upstream: Upstream;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Called just before the request is sent. If it throws, the request is not sent. */
  readonly mayStart?: () => Promise<void>;
};

/** A complete answer. `body` is bytes, because its reader determines the encoding. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
};

/** The first value of a header; undefined if it is absent. */
export function header({ headers }: HttpResponse, name: string): string | undefined {
  return [headers[name] ?? []].flat()[0];
}

type TransportOptions = {
  readonly proxies: ProxySettings;
  readonly timeouts: HttpTimeouts;
  /** The most simultaneous requests, and the most connections to each host. */
  readonly concurrency: number;
  /** Called with the status of every answer; 'none' if there was no readable answer. */
  readonly onAnswer: (upstream: Upstream, status: number | 'none') => void;
};

/** Logins come first, because every other request may wait for a login. */
const PRIORITY: Record<Upstream, number> = { 'login servers': 1, 'diagnostics service': 0 };

/** The connections to the service. Limits the requests at once, queues the others in order, follows no redirect. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #dispatcher: Dispatcher;
  readonly #queue: PQueue;
  readonly #stopping = new AbortController();
  /** The signal that `stop` aborts, with `Stopping` as its reason. */
  readonly stopping = this.#stopping.signal;

  constructor(options: TransportOptions) {
    const { proxies, timeouts, concurrency } = options;
    this.#options = options;
    this.#dispatcher = proxyAgent(proxies, timeouts, concurrency);
    this.#queue = new PQueue({ concurrency });
  }

  /** How many requests are queued. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Sends a request when a slot is free, and returns what `read` makes of the answer. The slot stays in use during
   * `read`, which limits simultaneous reads, too. Throws `unreachable`, `too-large`, `Stopping`, and the errors of
   * `mayStart` and `read`.
   */
  send<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    return this.#queue.add(() => this.#exchange(asked, read), { priority: PRIORITY[asked.upstream] });
  }

  async #exchange<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    await asked.mayStart?.();
    this.stopping.throwIfAborted();
    const { upstream } = asked;
    const { answer, body } = await this.#receive(asked).catch((error: unknown) => {
      this.#options.onAnswer(upstream, 'none');
      if (isFault(error, 'too-large')) throw error;
      const data = { upstream, host: asked.url.host, reason: unreachableReason(error) };
      throw fault('unreachable', data, { cause: error });
    });
    const { statusCode: status, headers } = answer;
    this.#options.onAnswer(upstream, status);
    return read({ status, headers, body });
  }

  async #receive(asked: HttpRequest): Promise<{ answer: Dispatcher.ResponseData; body: Uint8Array }> {
    const answer = await request(asked.url, {
      dispatcher: this.#dispatcher,
      method: asked.method,
      headers: asked.headers,
      body: asked.body ?? null,
      signal: AbortSignal.timeout(this.#options.timeouts.wholeMs),
    });
    const body = wholeBody(answer.body);
    // Only a 200 needs its body. A 202 counts even if its body is cut off: a retry would come too early.
    return { answer, body: await (answer.statusCode === 200 ? body : body.catch(() => new Uint8Array())) };
  }

  /**
   * Sends no more requests; queued requests fail with `Stopping`. Running requests continue, because without their 202
   * another replica would ask for the snapshot too early.
   */
  stop(): void {
    this.#stopping.abort(new Stopping());
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

/** Reads a whole body of limited size, and decompresses it if a proxy compressed it. */
async function wholeBody(body: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop also closes the connection.
    if (size > MAX_BODY_BYTES) throw fault('too-large', { limitBytes: MAX_BODY_BYTES });
  }
  const whole = Buffer.concat(chunks);
  if (whole[0] !== 0x1f || whole[1] !== 0x8b) return whole;
  return promisify(gunzip)(whole, { maxOutputLength: MAX_BODY_BYTES }).catch((error: unknown) => {
    throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
      ? fault('too-large', { limitBytes: MAX_BODY_BYTES })
      : error;
  });
}

/** The largest headers of an answer in bytes: proxies add policies and cookies of many KB. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Keeps a TLS connection open between the requests of a wait, which are ten seconds apart. Milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/**
 * An agent that uses the proxies of the environment and the certificate authorities that Node trusts. An empty text
 * means no proxy. `connections`: the most connections to each host; unlimited if absent.
 */
export function proxyAgent(
  proxies: ProxySettings,
  timeouts: HttpTimeouts = HTTP_TIMEOUTS,
  connections?: number,
): Dispatcher {
  return new EnvHttpProxyAgent({
    httpProxy: proxies.httpProxy ?? '',
    httpsProxy: proxies.httpsProxy ?? '',
    noProxy: proxies.noProxy ?? '',
    connect: { timeout: timeouts.connectMs },
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...(connections === undefined ? {} : { connections }),
  });
}

/** Matched against the innermost code, the name and the message of an error; the first match decides. */
const REASONS: readonly (readonly [UnreachableReason, RegExp])[] = [
  ['timeout', /TIMEOUT|ETIMEDOUT|TimeoutError/],
  ['name', /ENOTFOUND|EAI_AGAIN/],
  ['certificate', /CERT|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|SSL_ERROR/],
  // Not HTTP, malformed HTTP, endless headers, or a damaged compressed body.
  ['undecodable', /HTTPParserError|LENGTH_MISMATCH|HEADERS_OVERFLOW|Z_DATA_ERROR|bad (?:response|upgrade)/],
  ['ended-early', /SocketError|ECONNRESET|Z_BUF_ERROR/],
];

/** Why a request got no answer. */
function unreachableReason(error: unknown): UnreachableReason {
  const said = `${errorCode(error)} ${error}`;
  return REASONS.find(([, pattern]) => pattern.test(said))?.[0] ?? 'connection';
}
