import { expect, test } from 'vitest';
import { Latest } from '../../../src/core/latest.ts';

test('The latest value for a key is reused; another key or object gets a value of its own', () => {
  const latest = new Latest<object, string>();
  let made = 0;
  const make = () => {
    made += 1;
    return `made ${made}`;
  };
  const [one, other] = [{}, {}];
  expect([latest.of(one, 'a', make), latest.of(one, 'a', make)]).toEqual(['made 1', 'made 1']);
  expect(latest.of(other, 'a', make)).toBe('made 2');
  expect([latest.of(one, 'b', make), latest.of(one, 'a', make)]).toEqual(['made 3', 'made 4']);
});

test('A value that could not be made is tried again', () => {
  const latest = new Latest<object, string>();
  const owner = {};
  expect(() =>
    latest.of(owner, 'a', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(latest.of(owner, 'a', () => 'made')).toBe('made');
});
