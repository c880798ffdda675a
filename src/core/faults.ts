export type Upstream = 'diagnostics service' | 'login servers';

export type UnreachableReason =
  | 'name'
  | 'connection'
  | 'timeout'
  | 'ended-early'
  | 'undecodable'
  | 'certificate';

/** What the service sent instead of a diagnostics document (specification, 2.3); `no-diagnostics`: XML without a list. */
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
/** `host` has no path and no credentials. */
type Unreachable = {
  readonly upstream: Upstream;
  readonly host: string;
  readonly reason: UnreachableReason;
};

/**
 * The data of each fault, and the message for the log, which contains no secret and no text of the service's answer.
 * Times are epoch milliseconds. The bot sends no request before `retryAt`.
 */
const MESSAGES = {
  /** The login servers refused the account (specification, 4.1 and 5.5). */
  'login-refused': ({ status }: Paused & { readonly status: number }) =>
    `the login servers refused the account (status ${status})`,
  /** The session was refused again right after a successful login (specification, 5.4). */
  'session-refused': (_: None) => 'the service refused a session that it had just given',
  /** The login succeeded, but its cookies are for `domain` and are not sent to the API's host (specification, 5.2). */
  'cookie-domain': ({ host, domain }: { readonly host: string; readonly domain: string }) =>
    `the login succeeded, but its cookies for ${domain} do not reach ${host}`,
  forbidden: (_: None) => 'the account may not see this snapshot (403)',
  /** The snapshot is unknown, deleted or expired, or it was uploaded moments ago and is still queued. */
  'snapshot-not-found': (_: None) => 'the service does not know this snapshot (404)',
  /** The service refused the media type in `Accept`, which contains the vendor's name from the settings. */
  'not-acceptable': (_: None) => 'the service does not offer the media type asked for (406)',
  /** The service answered 429, or an earlier `Retry-After` still applies. Pauses all requests. */
  'rate-limited': (_: Paused) => 'the service asked to slow down',
  /** The status was 500 or higher. */
  'service-failed': ({ upstream, status }: Failed & { readonly retryAt?: number | undefined }) =>
    `the ${upstream} failed (status ${status})`,
  /** The request got no complete answer, or an answer whose bytes can't be decoded. */
  unreachable: ({ upstream, host, reason }: Unreachable) =>
    `the ${upstream} could not be reached: ${reason} (${host})`,
  /** A status or redirect that the specification does not define. `redirectedTo` is a host. */
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
/** The reasons of `unreachable` that a retry can't fix. */
const LASTING: ReadonlySet<string> = new Set<UnreachableReason>(['certificate', 'undecodable']);

class FaultError<Code extends FaultCode> extends Error {
  readonly code: Code;
  /** Whether the same request may succeed a little later. */
  readonly isTransient: boolean;
  constructor(code: Code, data: FaultData[Code], options?: ErrorOptions) {
    const messages: { readonly [One in FaultCode]: (data: FaultData[One]) => string } = MESSAGES;
    super(messages[code](data), options);
    this.code = code;
    this.isTransient = TRANSIENT.has(code) && !('reason' in data && LASTING.has(data.reason));
  }
}

/** A failure that the bot explains to users, in the sentences of `slack/report/faults.ts`. */
export type FaultOf<Code extends FaultCode> = { [One in Code]: FaultError<One> & FaultData[One] }[Code];
export type Fault = FaultOf<FaultCode>;

/** Makes a fault for the caller to throw. */
export function fault<Code extends FaultCode>(
  code: Code,
  data: FaultData[Code],
  options?: ErrorOptions,
): FaultOf<Code> {
  return Object.assign(new FaultError(code, data, options), data);
}

/** Whether an error is a fault, which has its own sentence for users, and not a bug. `code`: only this kind of fault. */
export function isFault<Code extends FaultCode = FaultCode>(
  error: unknown,
  code?: Code,
): error is FaultOf<Code> {
  return error instanceof FaultError && (code === undefined || error.code === code);
}

/** When requests may be sent again (epoch milliseconds); undefined if the fault names no time. */
export function retryAtOf(error: unknown): number | undefined {
  return isFault(error) && 'retryAt' in error ? error.retryAt : undefined;
}

/** Why the bot can't start: the faulty setting, what is wrong, and the repair. Printed, so without secrets. */
export class CannotStart extends Error {
  readonly setting: string;
  readonly what: string;
  readonly repair: string;
  constructor(setting: string, what: string, repair: string, options?: ErrorOptions) {
    super(`${setting}: ${what}; ${repair}`, options);
    this.setting = setting;
    this.what = what;
    this.repair = repair;
  }
}

/** Turns an error of listening on a port into a `CannotStart`; returns any other error unchanged. */
export function portUnusable(setting: 'PORT' | 'OPS_PORT', port: number, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause) || cause.syscall !== 'listen') return cause;
  const code = errorCode(cause);
  const [what, repair] =
    code === 'EADDRINUSE'
      ? [`port ${port} is in use by another process`, 'stop that process, or choose another port']
      : [`this user may not listen on port ${port} (${code})`, 'choose a port above 1023'];
  return new CannotStart(setting, what, repair, { cause });
}

/** The code of the innermost cause, such as ENOTFOUND, or the refusal of a proxy; else the error's name. */
export function errorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return 'unknown';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return errorCode(inner, depth + 1);
  // The numeric code of a TimeoutError means nothing to people.
  if (error.name === 'TimeoutError') return 'timeout';
  // Only the message of undici's error says what the proxy answered, such as 407 for a wrong password.
  const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? [];
  if (status !== undefined) return `the proxy answered ${status}`;
  return 'code' in error ? String(error.code) : error.name;
}

/** Thrown into work that a shutdown interrupts; the work continues after the next start. Users never see it. */
export class Stopping extends Error {
  constructor() {
    super('the process stops');
  }
}

/** Whether an error is a bug of the bot: storage, the service and Slack fail with other error classes. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
