import { expect, test } from 'vitest';
import { Precedence } from '../../../src/core/event-loop.ts';

/** Settles after so many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** Which of ten pieces of work have begun, in order. */
function tenPieces(precedence: Precedence): number[] {
  const begun: number[] = [];
  for (let piece = 0; piece < 10; piece += 1) precedence.turn().then(() => begun.push(piece));
  return begun;
}

test('Pieces of work that are ready at once begin a few in each turn of the event loop, in their order', async () => {
  const begun = tenPieces(new Precedence());
  expect(begun).toEqual([]);
  await turns(2);
  expect(begun.length).toBeLessThanOrEqual(4);
  await turns(5);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('While something urgent is under way they begin more seldom, but they do', async () => {
  const precedence = new Precedence();
  const isOver = precedence.urgent();
  const begun = tenPieces(precedence);
  await turns(4);
  expect(begun).toEqual([]);
  await turns(1);
  expect(begun).toEqual([0, 1]);
  await turns(4);
  expect(begun).toEqual([0, 1]);
  await turns(1);
  expect(begun).toEqual([0, 1, 2, 3]);
  isOver();
  isOver();
  await turns(10);
  expect(begun).toHaveLength(10);
});

test('Urgent work that ends twice counts once: other urgent work still goes first', async () => {
  const precedence = new Precedence();
  precedence.urgent();
  const isOver = precedence.urgent();
  isOver();
  isOver();
  const begun = tenPieces(precedence);
  await turns(9);
  expect(begun.length).toBeLessThanOrEqual(4);
});

test('While one urgent work follows the other, each within its turn, other work begins as seldom', async () => {
  const precedence = new Precedence();
  const begun = tenPieces(precedence);
  for (let turn = 0; turn < 9; turn += 1) {
    precedence.urgent()();
    await turns(1);
  }
  expect(begun.length).toBeGreaterThanOrEqual(2);
  expect(begun.length).toBeLessThanOrEqual(4);
  await turns(10);
  expect(begun).toHaveLength(10);
});
