import { expect, test } from 'vitest';
import { measureManyAnswers, measureOneAnswer, measureOneWait } from './one-answer.ts';

test('A ready answer costs at most eight operations of the store', async () => {
  expect((await measureOneAnswer()).storageOperations).toBeLessThanOrEqual(8);
});

test('An answer that waited once costs at most thirteen operations of the store', async () => {
  expect(await measureOneWait()).toBeLessThanOrEqual(13);
});

test('A hundred answers of one snapshot are parsed and drawn once, and nothing is decrypted for them', async () => {
  expect(await measureManyAnswers(100, 'in turn')).toEqual({ requests: 100, parsed: 1, drawn: 1, opened: 0 });
  const atOnce = await measureManyAnswers(100, 'at once');
  expect(atOnce).toMatchObject({ parsed: 1, drawn: 1, opened: 0 });
  expect(atOnce.requests).toBeLessThan(50);
});
