import PQueue from 'p-queue';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { Stopping } from '../core/errors.ts';
import { TooLarge, Unreachable, type Upstream } from '../core/faults.ts';
import { LeaseLost } from '../core/lease.ts';
import { awayHosts, bodyReceiver, unreachableReason, whenWritten } from './connections.ts';

/**
 * Milliseconds. `wholeMs` bounds the request as a whole, because a body that trickles never triggers the other limits.
 */
export const HTTP_TIMEOUTS = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 30_000,
  wholeMs: 120_000,
  /** A host that can't be connected to for this long is tried by one request at a time, for all. */
  awayMs: 10_000,
};
export type HttpTimeouts = Readonly<typeof HTTP_TIMEOUTS>;

/** The proxy variables of the environment, by their usual names. */
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
  /** Called just before the request is sent; if it throws, the request is not sent. */
  readonly mayStart: () => Promise<void>;
  /** Called when the request is written to its connection; if it throws, the request is not written. */
  readonly mayBeWritten?: () => void;
};

/** An answer, received whole. `body` is bytes, because the reader determines the encoding. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
};

type TransportOptions = {
  readonly proxies: ProxySettings;
  readonly timeouts: HttpTimeouts;
  /** The most requests at once, and the most connections to each host. */
  readonly concurrency: number;
  /** Called with the status of every answer, 'none' if there was no readable answer, and with its headers. */
  readonly onAnswer: (upstream: Upstream, status: number | 'none', headers?: HttpResponse['headers']) => void;
};

/** A login goes first, because every other request may wait for it. */
const PRIORITY: Record<Upstream, number> = { 'login servers': 1, 'diagnostics service': 0 };

/**
 * The connections to the service: a bounded number of requests at once, the others queued in order of arrival. That is
 * fair, because each snapshot has at most one request of a kind. Redirects are answers, bodies are bounded.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #dispatcher: Dispatcher;
  readonly #queue: PQueue;
  readonly #receive = bodyReceiver();
  readonly #hosts: ReturnType<typeof awayHosts>;
  readonly #stopping = new AbortController();
  /** Aborted with `Stopping` by `stop`. */
  readonly stopping = this.#stopping.signal;
  /** What ends the requests that are not on a connection yet; undici ends one only once it is on one. */
  readonly #unwritten = new Set<(reason: Stopping) => void>();

  constructor(options: TransportOptions) {
    const { proxies, timeouts, concurrency } = options;
    this.#options = options;
    this.#dispatcher = proxyAgent(proxies, timeouts, concurrency);
    this.#queue = new PQueue({ concurrency });
    this.#hosts = awayHosts(timeouts.awayMs);
  }

  /** How many requests are queued. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Sends a request when its turn comes, and resolves with what `read` makes of the answer; reading belongs to the
   * turn, so that it is bounded too. Throws `Unreachable`, `TooLarge`, `LeaseLost`, `Stopping`, and what `mayStart` and
   * `read` throw; `Unreachable` in an `AbortError`, so that nobody tries again, where the host is away for long.
   */
  send<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    return this.#queue.add(() => this.#exchange(asked, read), { priority: PRIORITY[asked.upstream] });
  }

  async #exchange<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    this.stopping.throwIfAborted();
    await asked.mayStart();
    const { statusCode: status, headers, body: incoming } = await this.#request(asked);
    const readWhole = (body: Uint8Array) => {
      this.#options.onAnswer(asked.upstream, status, headers);
      return read({ status, headers, body });
    };
    if (status === 200) return this.#receive(incoming, readWhole, (error) => this.#failed(asked, error));
    // Every other answer is given with its head; after a 202 nobody asks again only because its reason broke off.
    return readWhole(await this.#receive(incoming, (body) => body).catch(() => new Uint8Array()));
  }

  async #request(asked: HttpRequest): Promise<Dispatcher.ResponseData> {
    const { url, method, headers, body, mayBeWritten } = asked;
    this.#hosts.claimTry(url.host);
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    this.#unwritten.add(end);
    const onWritten = () => {
      this.#unwritten.delete(end);
      this.#hosts.reached(url.host);
      mayBeWritten?.();
    };
    try {
      const answer = request(url, {
        dispatcher: this.#dispatcher.compose(whenWritten(onWritten)),
        method,
        headers: { ...headers },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(this.#options.timeouts.wholeMs),
      });
      return await Promise.race([answer, ended]);
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof Stopping) throw error;
      const fault = this.#failed(asked, error);
      if (this.#unwritten.delete(end) && fault instanceof Unreachable) this.#hosts.missed(fault);
      throw fault;
    }
  }

  #failed({ upstream, url }: HttpRequest, cause: unknown): TooLarge | Unreachable {
    this.#options.onAnswer(upstream, 'none');
    if (cause instanceof TooLarge) return cause;
    return new Unreachable(upstream, url.host, unreachableReason(cause), { cause });
  }

  /**
   * Sends no more requests: those that are not on a connection yet fail with `Stopping`. Others may get their answer,
   * because after an unread 202 the snapshot would be asked again too early.
   */
  stop(): void {
    this.#stopping.abort(new Stopping());
    for (const end of this.#unwritten) end(this.stopping.reason);
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

/** The most bytes of the headers of an answer: proxies add policies and cookies of many KB. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Keeps a TLS connection open between the requests of a wait, which are ten seconds apart. */
const KEEP_ALIVE_MS = 30_000;

/**
 * An agent that uses the proxy variables and the authorities that Node trusts. An empty text is no proxy; `connections`
 * is the most for each host, unlimited if left out.
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
