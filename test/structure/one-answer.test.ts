import { expect, test } from 'vitest';
import { measureOneAnswer } from './one-answer.ts';

test('A ready answer costs at most ten operations of the store', async () => {
  expect((await measureOneAnswer()).storageOperations).toBeLessThanOrEqual(10);
});
