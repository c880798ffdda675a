/**
 * One class for each thing that a user can be told. A fault carries data, never a secret and never a body
 * of the service: what is shown is decided where it is shown.
 */
abstract class BaseFault extends Error {
  abstract readonly code: string;
  /** Whether the same request may succeed by itself a little later. */
  readonly isTransient: boolean = false;
}

/** The login servers refused the account (specification, 4.1 and 5.5). */
export class LoginRefused extends BaseFault {
  readonly code = 'login-refused';
  readonly status: number;
  /** Epoch milliseconds until which no further login is tried with the same credentials. */
  readonly coolDownUntil: number;
  constructor(status: number, coolDownUntil: number, options?: ErrorOptions) {
    super(`the login servers refused the account (status ${status})`, options);
    this.status = status;
    this.coolDownUntil = coolDownUntil;
  }
}

/** The session was refused again right after a successful login (specification, 5.4). */
export class SessionRefused extends BaseFault {
  readonly code = 'session-refused';
  constructor(options?: ErrorOptions) {
    super('the service refused a session that it had just given', options);
  }
}

/** The login succeeded, but its cookies are for another domain than that of the API (specification, 5.2). */
export class CookieDomainMismatch extends BaseFault {
  readonly code = 'cookie-domain';
  /** The host of the API, and the domain or host, with a path if there is one, that the cookies are for. */
  readonly host: string;
  readonly domain: string;
  constructor(host: string, domain: string, options?: ErrorOptions) {
    super(`the login succeeded, but its cookies for ${domain} do not reach ${host}`, options);
    this.host = host;
    this.domain = domain;
  }
}

export class Forbidden extends BaseFault {
  readonly code = 'forbidden';
  constructor(options?: ErrorOptions) {
    super('the account may not see this snapshot (403)', options);
  }
}

/** 404: unknown, deleted, expired, or still queued just after the upload. */
export class SnapshotNotFound extends BaseFault {
  readonly code = 'snapshot-not-found';
  /** When the service still had it, in epoch milliseconds; undefined where the bot knows of no time. */
  readonly hadAt: number | undefined;
  constructor(hadAt?: number, options?: ErrorOptions) {
    super('the service does not know this snapshot (404)', options);
    this.hadAt = hadAt;
  }
}

/** 406: the media type, and with it the vendor's name, is not what the service speaks. */
export class NotAcceptable extends BaseFault {
  readonly code = 'not-acceptable';
  constructor(options?: ErrorOptions) {
    super('the service does not offer the media type asked for (406)', options);
  }
}

/** 429, or a time named by an earlier answer that has not come yet: it holds for the requests of everybody together. */
export class RateLimited extends BaseFault {
  readonly code = 'rate-limited';
  override readonly isTransient = true;
  /** Epoch milliseconds before which the service asked not to be asked again. */
  readonly retryAt: number;
  constructor(retryAt: number, options?: ErrorOptions) {
    super('the service asked to slow down', options);
    this.retryAt = retryAt;
  }
}

export type Upstream = 'diagnostics service' | 'login servers';

export class ServiceFailed extends BaseFault {
  readonly code = 'service-failed';
  override readonly isTransient = true;
  readonly upstream: Upstream;
  readonly status: number;
  /** Epoch milliseconds before which the service asked not to be asked again; undefined when it named no time. */
  readonly retryAt: number | undefined;
  constructor(upstream: Upstream, status: number, retryAt?: number, options?: ErrorOptions) {
    super(`the ${upstream} failed (status ${status})`, options);
    this.upstream = upstream;
    this.status = status;
    this.retryAt = retryAt;
  }
}

/** The epoch milliseconds before which a fault says that nobody should ask again; undefined where it says nothing. */
export function retryAtOf(error: unknown): number | undefined {
  if (error instanceof LoginRefused) return error.coolDownUntil;
  return error instanceof RateLimited || error instanceof ServiceFailed ? error.retryAt : undefined;
}

/** No answer that could be received: a connection that failed, was reset, ended early or took too long, or bytes that can't be decoded. */
export class Unreachable extends BaseFault {
  readonly code = 'unreachable';
  override readonly isTransient: boolean;
  readonly upstream: Upstream;
  readonly reason: UnreachableReason;
  /** The host that was asked, without path or credentials. */
  readonly host: string;
  constructor(upstream: Upstream, host: string, reason: UnreachableReason, options?: ErrorOptions) {
    super(`the ${upstream} could not be reached: ${reason} (${host})`, options);
    this.upstream = upstream;
    this.host = host;
    this.reason = reason;
    this.isTransient = reason !== 'certificate' && reason !== 'undecodable';
  }
}
export type UnreachableReason =
  | 'name'
  | 'connection'
  | 'timeout'
  | 'ended-early'
  | 'undecodable'
  | 'certificate';

/** A status or a redirect that the specification has no meaning for. */
export class UnexpectedAnswer extends BaseFault {
  readonly code = 'unexpected-answer';
  readonly upstream: Upstream;
  readonly status: number;
  readonly redirectedTo: string | undefined;
  constructor(upstream: Upstream, status: number, redirectedTo?: string, options?: ErrorOptions) {
    super(`the ${upstream} answered with an unexpected status ${status}`, options);
    this.upstream = upstream;
    this.status = status;
    this.redirectedTo = redirectedTo;
  }
}

export class TooLarge extends BaseFault {
  readonly code = 'too-large';
  readonly limitBytes: number;
  constructor(limitBytes: number, options?: ErrorOptions) {
    super(`the answer is larger than ${limitBytes} bytes`, options);
    this.limitBytes = limitBytes;
  }
}

export class TooManyDiagnostics extends BaseFault {
  readonly code = 'too-many-diagnostics';
  readonly limit: number;
  constructor(limit: number, options?: ErrorOptions) {
    super(`the document lists more than ${limit} diagnostics`, options);
    this.limit = limit;
  }
}

/** What was received instead of a diagnostics document (specification, 2.3); `no-diagnostics`: one without any list. */
export type NotADocumentReason =
  | 'empty'
  | 'html'
  | 'json'
  | 'doctype'
  | 'broken'
  | 'wrong-root'
  | 'no-diagnostics'
  | 'not-xml';

export class NotADocument extends BaseFault {
  readonly code = 'not-a-document';
  readonly reason: NotADocumentReason;
  constructor(reason: NotADocumentReason, options?: ErrorOptions) {
    super(`the answer is no diagnostics document (${reason})`, options);
    this.reason = reason;
  }
}

export class StorageFailed extends BaseFault {
  readonly code = 'storage-failed';
  override readonly isTransient = true;
  constructor(options?: ErrorOptions) {
    super('the state of the bot could not be read or written', options);
  }
}

export type Fault =
  | LoginRefused
  | SessionRefused
  | CookieDomainMismatch
  | Forbidden
  | SnapshotNotFound
  | NotAcceptable
  | RateLimited
  | ServiceFailed
  | Unreachable
  | UnexpectedAnswer
  | TooLarge
  | TooManyDiagnostics
  | NotADocument
  | StorageFailed;

/** Tells a fault, which has a sentence of its own, from a bug, which gets a reference. */
export function isFault(error: unknown): error is Fault {
  return error instanceof BaseFault;
}
