import { expect, test } from 'vitest';
import { LOOKUP_FORMAT } from '../../../src/lookups/queue.ts';
import { REMINDER_FORMAT } from '../../../src/lookups/reminder.ts';
import { JobSeal } from '../../../src/storage/redis/sealed-job.ts';
import { SealBroken, Sealer } from '../../../src/storage/sealing/sealer.ts';
import { aLookup } from '../../support/a-lookup.ts';

const KEY = new Uint8Array(32).fill(9);
const sealer = new Sealer([KEY]);
const seal = new JobSeal(LOOKUP_FORMAT, sealer);
const COUNTS = { failures: 1, stalls: 2, begun: 3 };
const JOB = aLookup('one');

test('A job is stored sealed, beside its version and what is known of its step', () => {
  const stored = seal.seal(JOB, COUNTS);
  expect(stored).toMatchObject({ state: LOOKUP_FORMAT.version, ...COUNTS });
  expect(JSON.stringify(stored)).not.toContain('26808463');
  expect(seal.open('one', stored)).toEqual(JOB);
});

test('It opens neither as another job nor as a job of another queue', () => {
  const stored = seal.seal(JOB, COUNTS);
  expect(() => seal.open('two', stored)).toThrow(SealBroken);
  const reminders = new JobSeal(REMINDER_FORMAT, sealer);
  expect(() => reminders.open('one', stored)).toThrow();
  expect(() => reminders.open('one', { ...stored, state: REMINDER_FORMAT.version })).toThrow(SealBroken);
});

test('A job of a newer release is told by its version, however it is sealed', () => {
  const sealed = 'sealed in a way of the future';
  expect(() => seal.open('one', { state: LOOKUP_FORMAT.version + 1, sealed })).toThrow(
    `state version ${LOOKUP_FORMAT.version + 1}, here ${LOOKUP_FORMAT.version}`,
  );
});
