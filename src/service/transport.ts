import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { type Neighbour, TooLarge, Unreachable, type UnreachableReason } from '../core/faults.ts';

/** The largest body that is read. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

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
  readonly neighbour: Neighbour;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An answer, read whole. `body` is bytes: who reads it knows the encoding. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

/** Hears of every answer; 'none' when there was none that could be read. */
type OnAnswer = (neighbour: Neighbour, status: number | 'none') => void;

/** One request, one answer: redirects are answers, bodies are bounded, and a failure is an `Unreachable` or `TooLarge`. */
export class Transport {
  readonly #dispatcher: Dispatcher;
  readonly #timeouts: HttpTimeouts;
  readonly #onAnswer: OnAnswer;

  constructor(options: { proxies: ProxySettings; timeouts: HttpTimeouts; onAnswer: OnAnswer }) {
    this.#timeouts = options.timeouts;
    this.#dispatcher = proxyAgent(options.proxies, options.timeouts);
    this.#onAnswer = options.onAnswer;
  }

  async send(asked: HttpRequest): Promise<HttpAnswer> {
    try {
      const answer = await request(asked.url, {
        dispatcher: this.#dispatcher,
        method: asked.method,
        headers: { ...asked.headers },
        ...(asked.body === undefined ? {} : { body: asked.body }),
        signal: AbortSignal.timeout(this.#timeouts.wholeMs),
      });
      const body = await readBounded(answer.body);
      this.#onAnswer(asked.neighbour, answer.statusCode);
      return { status: answer.statusCode, headers: answer.headers, body };
    } catch (error) {
      this.#onAnswer(asked.neighbour, 'none');
      if (error instanceof TooLarge) throw error;
      const reason = reasonOf(error);
      throw new Unreachable(asked.neighbour, asked.url.host, reason, { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

/** Connections that honour the proxy variables and whatever authorities Node trusts. An empty text is no proxy. */
export function proxyAgent(proxies: ProxySettings, timeouts: HttpTimeouts = HTTP_TIMEOUTS): Dispatcher {
  return new EnvHttpProxyAgent({
    httpProxy: proxies.httpProxy ?? '',
    httpsProxy: proxies.httpsProxy ?? '',
    noProxy: proxies.noProxy ?? '',
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  });
}

async function readBounded(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (size > MAX_BODY_BYTES) throw new TooLarge(MAX_BODY_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const TIMEOUT = /TIMEOUT|ETIMEDOUT|TimeoutError/;
const NAME = /ENOTFOUND|EAI_AGAIN/;
const CERTIFICATE = /CERT|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|SSL_ERROR/;
const ENDED_EARLY = /UND_ERR_SOCKET|ECONNRESET|CONTENT_LENGTH|HPE_/;

function reasonOf(error: unknown): UnreachableReason {
  const described = describe(error);
  if (TIMEOUT.test(described)) return 'timeout';
  if (NAME.test(described)) return 'name';
  if (CERTIFICATE.test(described)) return 'certificate';
  return ENDED_EARLY.test(described) ? 'ended-early' : 'connection';
}

/** The codes of an error and of its causes: undici wraps what the socket said. */
function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  const code = 'code' in error ? String(error.code) : '';
  const inner = error instanceof AggregateError ? error.errors.map((each) => describe(each, depth + 1)) : [];
  return [error.name, code, ...inner, describe(error.cause, depth + 1)].join(' ');
}
