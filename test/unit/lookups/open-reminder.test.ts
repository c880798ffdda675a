import { expect, test } from 'vitest';
import { fulfilled, isAnother, isSame, type OpenReminder } from '../../../src/lookups/open-reminder.ts';
import { listOf } from '../../../src/lookups/reminder.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const asked = (id: string) => ({ snapshotId: snapshotId(id), set: 'all' as const });
const FULFILMENT = { question: asked('2') };

function aReminder(messageTs: string | undefined, user = 'U1', id = '1'): OpenReminder {
  return {
    ...{ id: 'one', acceptedAt: 0, at: 1, readAt: 0, list: 'C1:device', question: asked(id) },
    destination: { channel: 'C1', user, ...(messageTs !== undefined && { messageTs }) },
  };
}

test('A person has one reminder for each message, and for each snapshot of private ones', () => {
  expect(isSame(aReminder('1.1'), aReminder('1.1', 'U1', '2'))).toBe(true);
  expect(isSame(aReminder('1.1'), aReminder('2.2'))).toBe(false);
  expect(isSame(aReminder('1.1'), aReminder('1.1', 'U2'))).toBe(false);
  expect(isSame(aReminder(undefined), aReminder(undefined))).toBe(true);
  expect(isSame(aReminder(undefined), aReminder(undefined, 'U1', '2'))).toBe(false);
  expect(isSame(aReminder(undefined), aReminder('1.1'))).toBe(false);
});

test('The first result of the device that comes is the one that fulfils a reminder', () => {
  const open = aReminder('1.1');
  expect(fulfilled(open, FULFILMENT)).toEqual({ fulfilledBy: FULFILMENT });
  expect(fulfilled(open, undefined)).toStrictEqual({});
  expect(fulfilled({ ...open, fulfilledBy: FULFILMENT }, { question: asked('3') })).toStrictEqual({});
});

test('A result is another one for a reminder of another snapshot that none or this one has fulfilled', () => {
  const open = aReminder('1.1');
  expect([isAnother(open, asked('1')), isAnother(open, asked('2'))]).toEqual([false, true]);
  const done = { ...open, fulfilledBy: FULFILMENT };
  expect([isAnother(done, asked('2')), isAnother(done, asked('3'))]).toEqual([true, false]);
});

test('Reminders are kept by conversation and device', () => {
  expect(listOf('C1', 'chs1')).toBe('C1:chs1');
});
