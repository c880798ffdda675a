import { expect, test } from 'vitest';
import {
  CookieDomainMismatch,
  type Fault,
  Forbidden,
  isFault,
  LoginRefused,
  NotAcceptable,
  NotADocument,
  RateLimited,
  retryAtOf,
  ServiceFailed,
  SessionRefused,
  SnapshotNotFound,
  StorageFailed,
  TooLarge,
  TooManyDiagnostics,
  UnexpectedAnswer,
  Unreachable,
} from '../../../src/core/faults.ts';
import { EVERY_FAULT } from '../../support/every-fault.ts';

const CAUSE = new Error('a cause');

test('Only the faults that may pass by themselves are transient', () => {
  const transient = Object.entries(EVERY_FAULT).filter(([, { isTransient }]) => isTransient);
  expect(transient.map(([name]) => name).sort()).toEqual(
    [
      ...[
        'rate-limited',
        'service-failed',
        'service-failed-until',
        'storage-failed',
        'login-failed',
        'login-unreachable',
      ],
      ...['unreachable', 'unreachable-name', 'unreachable-timeout', 'unreachable-ended-early'],
      'unreachable-undecodable',
    ].sort(),
  );
});

test('Each kind of fault has a code of its own', () => {
  const codes = [
    ...['login-refused', 'session-refused', 'forbidden', 'snapshot-not-found', 'not-acceptable'],
    ...['rate-limited', 'service-failed', 'unreachable', 'unexpected-answer', 'too-large'],
    ...['too-many-diagnostics', 'not-a-document', 'storage-failed', 'cookie-domain'],
  ] as const;
  for (const code of codes) expect(EVERY_FAULT[code].code).toBe(code);
  expect(new Set(Object.values(EVERY_FAULT).map(({ code }) => code))).toEqual(new Set(codes));
});

test('A fault is told from a bug', () => {
  for (const fault of Object.values(EVERY_FAULT)) expect(isFault(fault)).toBe(true);
  for (const other of [new Error('x'), { code: 'forbidden' }, undefined]) expect(isFault(other)).toBe(false);
});

test('A fault that names a time before which nobody may ask again gives that time', () => {
  expect(retryAtOf(new RateLimited(7))).toBe(7);
  expect(retryAtOf(new ServiceFailed('login servers', 503, 8))).toBe(8);
  expect(retryAtOf(new ServiceFailed('login servers', 503))).toBeUndefined();
  expect(retryAtOf(new LoginRefused(302, 9))).toBe(9);
  expect(retryAtOf(new SessionRefused())).toBeUndefined();
  expect(retryAtOf({ retryAt: 9 })).toBeUndefined();
});

const LOG_LINES: [fault: Fault, message: string, data: object][] = [
  [
    new CookieDomainMismatch('a.example', 'b.example', { cause: CAUSE }),
    'the login succeeded, but its cookies for b.example do not reach a.example',
    { host: 'a.example', domain: 'b.example' },
  ],
  [
    new LoginRefused(302, 9, { cause: CAUSE }),
    'the login servers refused the account (status 302)',
    { status: 302, coolDownUntil: 9 },
  ],
  [new Forbidden({ cause: CAUSE }), 'the account may not see this snapshot (403)', {}],
  [
    new SessionRefused(9, { cause: CAUSE }),
    'the service refused a session that it had just given',
    { coolDownUntil: 9 },
  ],
  [new SnapshotNotFound(9, { cause: CAUSE }), 'the service does not know this snapshot (404)', { hadAt: 9 }],
  [new NotAcceptable({ cause: CAUSE }), 'the service does not offer the media type asked for (406)', {}],
  [new StorageFailed({ cause: CAUSE }), 'the state of the bot could not be read or written', {}],
  [new RateLimited(9, { cause: CAUSE }), 'the service asked to slow down', { retryAt: 9 }],
  [
    new ServiceFailed('diagnostics service', 503, undefined, { cause: CAUSE }),
    'the diagnostics service failed (status 503)',
    { upstream: 'diagnostics service', status: 503 },
  ],
  [
    new Unreachable('login servers', 'a.example', 'name', { cause: CAUSE }),
    'the login servers could not be reached: name (a.example)',
    { upstream: 'login servers', host: 'a.example', reason: 'name' },
  ],
  [
    new UnexpectedAnswer('login servers', 418, 'b.example', { cause: CAUSE }),
    'the login servers answered with an unexpected status 418',
    { upstream: 'login servers', status: 418, redirectedTo: 'b.example' },
  ],
  [new TooLarge(5, { cause: CAUSE }), 'the answer is larger than 5 bytes', { limitBytes: 5 }],
  [new TooManyDiagnostics(5, { cause: CAUSE }), 'the document lists more than 5 diagnostics', { limit: 5 }],
  [
    new NotADocument('html', { cause: CAUSE }),
    'the answer is no diagnostics document (html)',
    { reason: 'html' },
  ],
];

test.each(LOG_LINES)('A fault says what happened, for the log: %s', (fault, message, data) => {
  expect(fault).toMatchObject({ message, ...data });
  expect(fault.cause).toBe(CAUSE);
});

test('The log line of each kind of fault is tried', () => {
  const codes = Object.values(EVERY_FAULT).map(({ code }) => code);
  expect(new Set(LOG_LINES.map(([{ code }]) => code))).toEqual(new Set(codes));
});
