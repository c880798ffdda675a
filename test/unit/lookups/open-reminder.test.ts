import { expect, test } from 'vitest';
import { fulfilled, isFulfilledBy, isSame, type OpenReminder } from '../../../src/lookups/open-reminder.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const asked = (id: string) => ({ snapshotId: snapshotId(id), set: 'all' as const });
const FULFILMENT = { question: asked('2') };

function aReminder(messageTs: string | undefined, user = 'U1', id = '1'): OpenReminder {
  return {
    ...{ id: 'one', acceptedAt: 0, at: 1, readAt: 0, list: 'device', question: asked(id) },
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

test('Messages of two conversations are two, also where their timestamps are one', () => {
  const [one, other] = [aReminder('1.1'), aReminder('1.1')];
  expect(isSame(one, { ...other, destination: { ...other.destination, channel: 'C2' } })).toBe(false);
});

test.each([
  ['a newer snapshot', '100', 'a', true],
  ['a newer one of a host whose name is not known', '100', '', true],
  ['its own snapshot', '99', 'a', false],
  ['an older one', '98', 'a', false],
  ['an older one with more digits', '0098', 'a', false],
  ['a newer one of another host of the chassis', '100', 'b', false],
])('A reminder of 99 on the host a is fulfilled by %s: %#', (_what, id, host, expected) => {
  const open = { ...aReminder('1.1', 'U1', '99'), host: 'a' };
  expect(isFulfilledBy(open, { question: asked(id), host })).toBe(expected);
});

test('What has fulfilled a reminder does so again, and nothing else does', () => {
  const done = { ...aReminder('1.1'), fulfilledBy: FULFILMENT };
  const by = (id: string) => isFulfilledBy(done, { question: asked(id), host: '' });
  expect([by('2'), by('3')]).toEqual([true, false]);
});
