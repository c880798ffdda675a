import { expect, test } from 'vitest';
import {
  isFault,
  LoginRefused,
  RateLimited,
  retryAtOf,
  ServiceFailed,
  SessionRefused,
} from '../../../src/core/faults.ts';
import { EVERY_FAULT, FAULT_KINDS, UNDERLYING } from '../../support/every-fault.ts';

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
    ].sort(),
  );
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

test.each(Object.entries(FAULT_KINDS))(
  'A fault keeps the error that it comes from: %s',
  (_code, { example }) => {
    expect(example.cause).toBe(UNDERLYING);
  },
);
