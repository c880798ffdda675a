import { AbortError } from 'p-retry';
import type { Unreachable } from '../core/faults.ts';

/** A host to which no connection can be made: since when, why, and when the next one is tried (`performance.now()`). */
type Away = { readonly since: number; readonly fault: Unreachable; readonly tryAt: number };

/** The pause between two connections that are tried to a host that is away. Milliseconds. */
const TRY_AGAIN_MS = 500;

/**
 * Hosts that can't be connected to. One that is away for long is tried by one request at a time, for all: a new TLS
 * connection and a look-up of the name for each of a thousand lookups would keep the processor busy.
 */
export class AwayHosts {
  readonly #longMs: number;
  readonly #away = new Map<string, Away>();

  /** `longMs`: for how long a host is away before requests share a try. Milliseconds. */
  constructor(longMs: number) {
    this.#longMs = longMs;
  }

  /**
   * To be called before a connection is tried. Throws the last fault, in an `AbortError` so that nobody tries again, while
   * the host is not to be tried or another request tries it.
   */
  claimTry(host: string): void {
    const away = this.#away.get(host);
    const now = performance.now();
    if (away === undefined || now - away.since < this.#longMs) return;
    if (now < away.tryAt) throw new AbortError(away.fault);
    this.#away.set(host, { ...away, tryAt: Number.POSITIVE_INFINITY });
  }

  /** A request is on a connection. */
  reached(host: string): void {
    this.#away.delete(host);
  }

  /** No connection could be made. */
  missed(fault: Unreachable): void {
    const now = performance.now();
    const since = this.#away.get(fault.host)?.since ?? now;
    this.#away.set(fault.host, { since, fault, tryAt: now + TRY_AGAIN_MS });
  }
}
