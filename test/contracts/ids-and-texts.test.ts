import { expect, test } from 'vitest';
import { isEarlier, isSnapshotId } from '../../src/core/diagnostics.ts';
import { errorCode, portUnusable } from '../../src/core/faults.ts';
import { inOrder, questionsOf, withSearch } from '../../src/core/lookup.ts';
import { fold } from '../../src/core/texts.ts';
import { utcText } from '../../src/core/time.ts';
import { snapshotId } from '../support/snapshot-id.ts';

test.each([
  ['0', true],
  ['26808463', true],
  ['007', true],
  ['1'.repeat(20), true],
  ['1'.repeat(21), false],
  ['', false],
  ['-1', false],
  ['1.0', false],
  [' 1', false],
  ['1\n', false],
  ['1a', false],
  ['a1', false],
  ['\u0661', false],
  ['1/../2', false],
])('%j is the id of a snapshot: %s', (text, isId) => {
  expect(isSnapshotId(text)).toBe(isId);
});

test.each([
  ['9999999', '10000000', true],
  ['10000000', '9999999', false],
  ['12', '012', false],
  ['12345678901234567890', '12345678901234567891', true],
])('Snapshot %s was uploaded before %s: %s', (one, other, isBefore) => {
  expect(isEarlier(snapshotId(one), snapshotId(other))).toBe(isBefore);
});

test('In a comparison the snapshot that was uploaded earlier comes first', () => {
  const [earlier, later] = ['9999999', '10000000'].map(
    (id) => ({ snapshotId: snapshotId(id), set: 'hit' }) as const,
  );
  if (!earlier || !later) throw new Error('two questions');
  const compared = { before: earlier, question: later };
  expect([inOrder(earlier, later), inOrder(later, earlier)]).toEqual([compared, compared]);
  expect(questionsOf(compared)).toEqual([earlier, later]);
  expect(questionsOf({ question: later, others: [earlier] })).toEqual([later, earlier]);
});

test.each([
  ['all', undefined],
  ['hit', 'hit'],
  ['miss', 'miss'],
] as const)(
  'A search of “%s” is about the whole analysis, and lists that side; an empty search changes nothing',
  (set, side) => {
    const id = snapshotId('12');
    const other = snapshotId('13');
    const asked = {
      question: { snapshotId: id, set },
      others: [{ snapshotId: other, set }],
      filter: { cve: 'with' },
    } as const;
    expect(withSearch(asked, [])).toEqual(asked);
    const searched = withSearch(asked, ['disk']);
    const all = { question: { snapshotId: id, set: 'all' }, others: [{ snapshotId: other, set: 'all' }] };
    const expected = { ...asked, ...all, search: ['disk'] };
    expect(searched).toEqual(side === undefined ? expected : { ...expected, side });
    // A new search replaces the first, and without a search the question is the original one.
    expect(withSearch(searched, ['fan'])).toEqual({ ...searched, search: ['fan'] });
    expect(withSearch(searched, [])).toEqual(asked);
  },
);

test('Times are given in UTC, to the minute', () => {
  expect(utcText(Date.UTC(2026, 10, 20, 9, 4, 59))).toBe('2026-11-20 09:04 UTC');
});

test.each([
  ['ABC  d\t\ne', 'abc d e'],
  ['\u00c9t\u00e9', 'ete'],
  ['a\u00adb\u200bc\u202ed', 'abcd'],
  ['CVE\u20112026\u20131', 'cve-2026-1'],
  ['a\u22121', 'a-1'],
  ['a\u00a0\u2003b', 'a b'],
])('%j is compared as %j', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test('The code of an error is the innermost', () => {
  const inner = Object.assign(new Error('x'), { code: 'ENOTFOUND' });
  expect(errorCode(inner)).toBe('ENOTFOUND');
  expect(errorCode(new Error('y', { cause: inner }))).toBe('ENOTFOUND');
  expect(errorCode(new AggregateError([inner, new Error('z')], 'all'))).toBe('ENOTFOUND');
  expect(errorCode(new TypeError('y'))).toBe('TypeError');
  expect(errorCode('text')).toBe('unknown');
  const late = new DOMException('too late', 'TimeoutError');
  expect(errorCode(Object.assign(new Error('aborted', { cause: late }), { code: 'ABORT_ERR' }))).toBe(
    'timeout',
  );
  const deep = (depth: number): Error => (depth === 0 ? inner : new Error('x', { cause: deep(depth - 1) }));
  expect(errorCode(deep(4))).toBe('ENOTFOUND');
  expect(errorCode(deep(5))).toBe('unknown');
  const endless = new Error('loop');
  endless.cause = endless;
  expect(errorCode(endless)).toBe('unknown');
});

test('The error of an unusable port names the repair, and any other error stays unchanged', () => {
  const error = (code: string, syscall = 'listen') => Object.assign(new Error('x'), { code, syscall });
  expect(portUnusable('PORT', 3000, error('EADDRINUSE'))).toMatchObject({
    message: 'PORT: port 3000 is in use by another process; stop that process, or choose another port',
  });
  const cause = error('EACCES');
  expect(portUnusable('OPS_PORT', 80, cause)).toMatchObject({
    ...{ setting: 'OPS_PORT', what: 'this user may not listen on port 80 (EACCES)', cause },
    repair: 'choose a port above 1023',
  });
  for (const other of [error('ECONNREFUSED', 'connect'), 'text', undefined, { syscall: 'listen' }])
    expect(portUnusable('PORT', 3000, other)).toBe(other);
});
