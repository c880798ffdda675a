import {
  CookieDomainMismatch,
  type Fault,
  Forbidden,
  LoginRefused,
  NotAcceptable,
  NotADocument,
  RateLimited,
  ServiceFailed,
  SessionRefused,
  SnapshotNotFound,
  StorageFailed,
  TooLarge,
  TooManyDiagnostics,
  UnexpectedAnswer,
  Unreachable,
} from '../../src/core/faults.ts';

const LATER = Date.UTC(2026, 10, 20, 9, 35);
const API = 'diagnostics.acme.example';
const MEBIBYTE = 1024 * 1024;

function unreachable(reason: Unreachable['reason']): Unreachable {
  return new Unreachable('diagnostics service', API, reason);
}

const BY_CODE = {
  'login-refused': new LoginRefused(302, LATER),
  'session-refused': new SessionRefused(LATER),
  'cookie-domain': new CookieDomainMismatch(API, '*sso*.example<!here>'),
  forbidden: new Forbidden(),
  'snapshot-not-found': new SnapshotNotFound(),
  'not-acceptable': new NotAcceptable(),
  'rate-limited': new RateLimited(LATER),
  'service-failed': new ServiceFailed('diagnostics service', 503),
  unreachable: unreachable('connection'),
  'unexpected-answer': new UnexpectedAnswer('diagnostics service', 307, '*elsewhere*.example<!here>'),
  'too-large': new TooLarge(32 * MEBIBYTE),
  'too-many-diagnostics': new TooManyDiagnostics(2_000),
  'not-a-document': new NotADocument('html'),
  'storage-failed': new StorageFailed(),
} satisfies Record<Fault['code'], Fault>;

/** One of each kind of fault, and of those that come for different reasons each reason. */
export const EVERY_FAULT = {
  ...BY_CODE,
  'login-refused-oddly': new LoginRefused(404, LATER),
  'session-refused-for-one': new SessionRefused(),
  'service-failed-until': new ServiceFailed('diagnostics service', 502, LATER),
  'login-failed': new ServiceFailed('login servers', 500),
  'login-unreachable': new Unreachable('login servers', 'login.acme.example', 'timeout'),
  'unreachable-name': unreachable('name'),
  'unreachable-timeout': unreachable('timeout'),
  'unreachable-ended-early': unreachable('ended-early'),
  'unreachable-undecodable': unreachable('undecodable'),
  'unreachable-certificate': unreachable('certificate'),
  'unexpected-status': new UnexpectedAnswer('login servers', 418),
  'snapshot-gone': new SnapshotNotFound(LATER),
  'snapshot-deleted': new UnexpectedAnswer('diagnostics service', 410),
  'not-a-document-empty': new NotADocument('empty'),
  'not-a-document-json': new NotADocument('json'),
  'not-a-document-doctype': new NotADocument('doctype'),
  'not-a-document-broken': new NotADocument('broken'),
  'not-a-document-wrong-root': new NotADocument('wrong-root'),
  'not-a-document-no-diagnostics': new NotADocument('no-diagnostics'),
  'not-a-document-not-xml': new NotADocument('not-xml'),
};
