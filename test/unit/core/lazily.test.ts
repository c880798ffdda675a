import { expect, test } from 'vitest';
import { lazily } from '../../../src/core/lazily.ts';

test('It is made at its first use, once, even if it is undefined', () => {
  let made = 0;
  const get = lazily(() => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  expect([get(), get()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});

test('Everybody gets the same', () => {
  const get = lazily(() => ({}));
  expect(get()).toBe(get());
});

test('What could not be made is tried again', () => {
  let tries = 0;
  const get = lazily(() => {
    tries += 1;
    if (tries === 1) throw new Error('no');
    return 'made';
  });
  expect(get).toThrow('no');
  expect(get()).toBe('made');
});
