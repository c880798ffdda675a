export type Upstream = 'diagnostics service' | 'login servers';

export type UnreachableReason =
  | 'name'
  | 'connection'
  | 'timeout'
  | 'ended-early'
  | 'undecodable'
  | 'certificate';

/** What was received instead of a diagnostics document (specification, 2.3); `no-diagnostics`: without any list. */
export type NotADocumentReason =
  | 'empty'
  | 'html'
  | 'json'
  | 'doctype'
  | 'broken'
  | 'wrong-root'
  | 'no-diagnostics'
  | 'not-xml';

type None = Readonly<Record<never, never>>;
type Paused = { readonly retryAt: number };
type Failed = { readonly upstream: Upstream; readonly status: number };
/** `host` is without path or credentials. */
type Unreachable = {
  readonly upstream: Upstream;
  readonly host: string;
  readonly reason: UnreachableReason;
};

/**
 * What is known of a fault, by its code, and what the log says of it: never a secret, and no text of the service's answer.
 * Times are epoch milliseconds; `retryAt`: no request is sent before it.
 */
const MESSAGES = {
  /** The login servers refused the account (specification, 4.1 and 5.5). */
  'login-refused': ({ status }: Paused & { readonly status: number }) =>
    `the login servers refused the account (status ${status})`,
  /** The session was refused again right after a successful login (specification, 5.4). */
  'session-refused': (_: None) => 'the service refused a session that it had just given',
  /** The login succeeded, but its cookies are for `domain` (with its path), not for the API's host (specification, 5.2). */
  'cookie-domain': ({ host, domain }: { readonly host: string; readonly domain: string }) =>
    `the login succeeded, but its cookies for ${domain} do not reach ${host}`,
  forbidden: (_: None) => 'the account may not see this snapshot (403)',
  /** Unknown, deleted, expired, or still queued just after the upload. */
  'snapshot-not-found': (_: None) => 'the service does not know this snapshot (404)',
  /** The media type, and with it the vendor's name, is not what the service speaks. */
  'not-acceptable': (_: None) => 'the service does not offer the media type asked for (406)',
  /** 429, or the `Retry-After` of an earlier answer is not over yet. It holds for all requests. */
  'rate-limited': (_: Paused) => 'the service asked to slow down',
  /** A status of 500 or more. */
  'service-failed': ({ upstream, status }: Failed & { readonly retryAt?: number | undefined }) =>
    `the ${upstream} failed (status ${status})`,
  /** No answer that could be received, or bytes that can't be decoded. */
  unreachable: ({ upstream, host, reason }: Unreachable) =>
    `the ${upstream} could not be reached: ${reason} (${host})`,
  /** A status or a redirect that the specification has no meaning for. `redirectedTo` is a host. */
  'unexpected-answer': ({ upstream, status }: Failed & { readonly redirectedTo?: string | undefined }) =>
    `the ${upstream} answered with an unexpected status ${status}`,
  'too-large': ({ limitBytes }: { readonly limitBytes: number }) =>
    `the answer is larger than ${limitBytes} bytes`,
  'too-many-diagnostics': ({ limit }: { readonly limit: number }) =>
    `the document lists more than ${limit} diagnostics`,
  'not-a-document': ({ reason }: { readonly reason: NotADocumentReason }) =>
    `the answer is no diagnostics document (${reason})`,
  'storage-failed': (_: None) => 'the state of the bot could not be read or written',
};
type FaultCode = keyof typeof MESSAGES;
type FaultData = { readonly [Code in FaultCode]: Parameters<(typeof MESSAGES)[Code]>[0] };

const TRANSIENT: ReadonlySet<FaultCode> = new Set([
  'rate-limited',
  'service-failed',
  'unreachable',
  'storage-failed',
]);
/** The reasons of `unreachable` that a retry does not help. */
const LASTING: ReadonlySet<string> = new Set<UnreachableReason>(['certificate', 'undecodable']);

class FaultError<Code extends FaultCode> extends Error {
  readonly code: Code;
  /** Whether the same request may succeed by itself a little later. */
  readonly isTransient: boolean;
  constructor(code: Code, data: FaultData[Code], options?: ErrorOptions) {
    const messages: { readonly [One in FaultCode]: (data: FaultData[One]) => string } = MESSAGES;
    super(messages[code](data), options);
    this.code = code;
    this.isTransient = TRANSIENT.has(code) && !('reason' in data && LASTING.has(data.reason));
  }
}

/** A failure that users are told, in the sentences of `slack/report/faults.ts`. */
export type FaultOf<Code extends FaultCode> = { [One in Code]: FaultError<One> & FaultData[One] }[Code];
export type Fault = FaultOf<FaultCode>;

/** Makes a fault, to be thrown. */
export function fault<Code extends FaultCode>(
  code: Code,
  data: FaultData[Code],
  options?: ErrorOptions,
): FaultOf<Code> {
  return Object.assign(new FaultError(code, data, options), data);
}

/** Tells a fault, which has a sentence of its own, from a bug, which gets a reference. With a code, only that fault. */
export function isFault<Code extends FaultCode = FaultCode>(
  error: unknown,
  code?: Code,
): error is FaultOf<Code> {
  return error instanceof FaultError && (code === undefined || error.code === code);
}

/** The epoch milliseconds before which no request is to be sent; undefined where a fault names no time. */
export function retryAtOf(error: unknown): number | undefined {
  return isFault(error) && 'retryAt' in error ? error.retryAt : undefined;
}
