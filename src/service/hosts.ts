import { AbortError } from 'p-retry';
import type { Dispatcher } from 'undici';
import type { Unreachable, UnreachableReason } from '../core/faults.ts';

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
