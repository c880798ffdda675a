import { expect, test } from 'vitest';
import { JOB_VERSION, jobFrom } from '../../../src/lookups/stored-job.ts';

const JOB = { id: 'one', askedBy: 'U1', destination: { channel: 'C1', user: 'U1' } };

test('A lookup is read as this release stored it, and as the one before did', () => {
  const { destination, ...rest } = JOB;
  expect(jobFrom(JOB_VERSION, JOB)).toEqual(JOB);
  expect(jobFrom(1, { ...rest, place: destination })).toEqual(JOB);
});

test.each([JOB_VERSION + 1, 99, 0, Number.NaN])(
  'A lookup of version %s is left to a release that knows that version',
  (version) => {
    expect(() => jobFrom(version, JOB)).toThrow(
      `a lookup has the state version ${version}, newer than ${JOB_VERSION}`,
    );
  },
);
