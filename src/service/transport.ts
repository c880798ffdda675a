import PQueue from 'p-queue';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { TooLarge, Unreachable, type Upstream } from '../core/faults.ts';
import { LargeBodies } from './large-bodies.ts';
import { unreachableReason } from './unreachable-reason.ts';

/** Milliseconds. `wholeMs` bounds the request as a whole: a body that trickles never makes the others fire. */
export type HttpTimeouts = {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly wholeMs: number;
};
export const HTTP_TIMEOUTS: HttpTimeouts = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 30_000,
  wholeMs: 120_000,
};

/** The proxy variables of the environment, as their usual names have them. */
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
  /** Called when the request's turn has come; what it throws is thrown in place of sending. */
  readonly mayStart: () => Promise<void>;
};

/** An answer, received whole. `body` is bytes: who reads it knows the encoding. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
};

/** Hears of every answer; 'none' when there was none that could be read. */
type OnAnswer = (upstream: Upstream, status: number | 'none') => void;

type TransportOptions = {
  readonly proxies: ProxySettings;
  readonly timeouts: HttpTimeouts;
  /** The most requests at once, and the most connections to each host. */
  readonly concurrency: number;
  readonly onAnswer: OnAnswer;
};

/** A login goes first: every other request may wait for it. */
const PRIORITY: Record<Upstream, number> = { 'login servers': 1, 'diagnostics service': 0 };

/**
 * The connections to the service: a bounded number of requests at once, the others in the order in which they came,
 * which is fair to every snapshot because each has at most one request of a kind. Redirects are answers, bodies are
 * bounded.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #dispatcher: Dispatcher;
  readonly #turns: PQueue;
  readonly #largeBodies = new LargeBodies();

  constructor(options: TransportOptions) {
    const { proxies, timeouts, concurrency } = options;
    this.#options = options;
    this.#dispatcher = proxyAgent(proxies, timeouts, concurrency);
    this.#turns = new PQueue({ concurrency });
  }

  /** How many requests wait for their turn. */
  get waiting(): number {
    return this.#turns.size;
  }

  /**
   * Sends a request when its turn comes, and gives what `read` makes of the answer; its turn ends after that, so that
   * answers that are being read are bounded too. Throws `Unreachable`, `TooLarge`, and what `mayStart` and `read` throw.
   */
  send<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    return this.#turns.add(() => this.#exchange(asked, read), { priority: PRIORITY[asked.upstream] });
  }

  async #exchange<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    await asked.mayStart();
    const answer = await this.#request(asked);
    return this.#largeBodies.receive(answer.body, {
      read: (body) => {
        this.#options.onAnswer(asked.upstream, answer.statusCode);
        return read({ status: answer.statusCode, headers: answer.headers, body });
      },
      failed: (error) => this.#failed(asked, error),
    });
  }

  async #request(asked: HttpRequest): Promise<Dispatcher.ResponseData> {
    try {
      return await request(asked.url, {
        dispatcher: this.#dispatcher,
        method: asked.method,
        headers: { ...asked.headers },
        ...(asked.body === undefined ? {} : { body: asked.body }),
        signal: AbortSignal.timeout(this.#options.timeouts.wholeMs),
      });
    } catch (error) {
      throw this.#failed(asked, error);
    }
  }

  #failed({ upstream, url }: HttpRequest, cause: unknown): TooLarge | Unreachable {
    this.#options.onAnswer(upstream, 'none');
    if (cause instanceof TooLarge) return cause;
    return new Unreachable(upstream, url.host, unreachableReason(cause), { cause });
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

/** Waits of ten seconds lie between the requests of a wait: its TLS connection is used again. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Connections that honour the proxy variables and whatever authorities Node trusts. An empty text is no proxy;
 * `connections` is the most for each host, without a bound if left out.
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
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...(connections === undefined ? {} : { connections }),
  });
}
