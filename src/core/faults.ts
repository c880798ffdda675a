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

/** What is known of a fault, by its code. Times are epoch milliseconds; `retryAt`: no request is sent before it. */
type FaultData = {
  /** The login servers refused the account (specification, 4.1 and 5.5). */
  'login-refused': { readonly status: number; readonly retryAt: number };
  /** The session was refused again right after a successful login (specification, 5.4). */
  'session-refused': None;
  /** The login succeeded, but its cookies are for `domain` (with its path), not for the API's host (specification, 5.2). */
  'cookie-domain': { readonly host: string; readonly domain: string };
  /** 403: the account may not see the snapshot. */
  forbidden: None;
  /** 404: unknown, deleted, expired, or still queued just after the upload. `hadAt`: when the service still had it, if known. */
  'snapshot-not-found': { readonly hadAt?: number | undefined };
  /** 406: the media type, and with it the vendor's name, is not what the service speaks. */
  'not-acceptable': None;
  /** 429, or the `Retry-After` of an earlier answer is not over yet. It holds for all requests. */
  'rate-limited': { readonly retryAt: number };
  /** A status of 500 or more. */
  'service-failed': {
    readonly upstream: Upstream;
    readonly status: number;
    readonly retryAt?: number | undefined;
  };
  /** No answer that could be received, or bytes that can't be decoded. `host` is without path or credentials. */
  unreachable: { readonly upstream: Upstream; readonly host: string; readonly reason: UnreachableReason };
  /** A status or a redirect that the specification has no meaning for. `redirectedTo` is a host. */
  'unexpected-answer': {
    readonly upstream: Upstream;
    readonly status: number;
    readonly redirectedTo?: string | undefined;
  };
  'too-large': { readonly limitBytes: number };
  'too-many-diagnostics': { readonly limit: number };
  'not-a-document': { readonly reason: NotADocumentReason };
  /** The state of the bot could not be read or written. */
  'storage-failed': None;
};
export type FaultCode = keyof FaultData;

/** What the log says. Never a secret, and no text of the service's answer. */
const MESSAGES: { readonly [Code in FaultCode]: (data: FaultData[Code]) => string } = {
  'login-refused': ({ status }) => `the login servers refused the account (status ${status})`,
  'session-refused': () => 'the service refused a session that it had just given',
  'cookie-domain': ({ host, domain }) =>
    `the login succeeded, but its cookies for ${domain} do not reach ${host}`,
  forbidden: () => 'the account may not see this snapshot (403)',
  'snapshot-not-found': () => 'the service does not know this snapshot (404)',
  'not-acceptable': () => 'the service does not offer the media type asked for (406)',
  'rate-limited': () => 'the service asked to slow down',
  'service-failed': ({ upstream, status }) => `the ${upstream} failed (status ${status})`,
  unreachable: ({ upstream, host, reason }) => `the ${upstream} could not be reached: ${reason} (${host})`,
  'unexpected-answer': ({ upstream, status }) =>
    `the ${upstream} answered with an unexpected status ${status}`,
  'too-large': ({ limitBytes }) => `the answer is larger than ${limitBytes} bytes`,
  'too-many-diagnostics': ({ limit }) => `the document lists more than ${limit} diagnostics`,
  'not-a-document': ({ reason }) => `the answer is no diagnostics document (${reason})`,
  'storage-failed': () => 'the state of the bot could not be read or written',
};

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
    super(MESSAGES[code](data), options);
    this.code = code;
    this.isTransient = TRANSIENT.has(code) && !('reason' in data && LASTING.has(data.reason));
  }
}

/** Something that a user can be told. What is shown is decided where it is shown. */
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
