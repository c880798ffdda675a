import { expect, test } from 'vitest';
import type { Owner } from '../../../../src/slack/answer/owners-line.ts';
import { ownersOf } from '../../../../src/slack/delivery/owners.ts';
import { MemoryStore } from '../../../support/memory-store.ts';

const KEPT_MS = 60_000;
const MESSAGE = { channel: 'C1', ts: '1.1' };

function owning() {
  const clock = { now: 1_000 };
  const store = new MemoryStore(() => clock.now);
  const namespace = store.namespace<readonly Owner[]>('owners');
  return { clock, namespace, owners: ownersOf(namespace, store.mutex, KEPT_MS) };
}

test('Who presses “I’m on it” is on it, in the order of the presses, and not any more after a second press', async () => {
  const { owners, namespace } = owning();
  expect(await owners.of(MESSAGE)).toEqual([]);
  expect(await owners.toggle(MESSAGE, 'U1', 5)).toBe(true);
  expect(await owners.toggle(MESSAGE, 'U2', 6)).toBe(true);
  expect(await owners.of(MESSAGE)).toEqual([
    { user: 'U1', since: 5 },
    { user: 'U2', since: 6 },
  ]);
  expect(await owners.toggle(MESSAGE, 'U1', 7)).toBe(false);
  expect(await owners.of(MESSAGE)).toEqual([{ user: 'U2', since: 6 }]);
  expect(await owners.toggle(MESSAGE, 'U2', 8)).toBe(false);
  expect(await Array.fromAsync(namespace.entries())).toEqual([]);
});

test('Another message, or the same time in another channel, has its own owners', async () => {
  const { owners } = owning();
  await owners.toggle(MESSAGE, 'U1', 5);
  expect(await owners.of({ ...MESSAGE, ts: '2.2' })).toEqual([]);
  expect(await owners.of({ ...MESSAGE, channel: 'C2' })).toEqual([]);
});

test('Several who press at once are all on it, until their time is over', async () => {
  const { owners, clock } = owning();
  await Promise.all(['U1', 'U2', 'U3'].map((user) => owners.toggle(MESSAGE, user, 5)));
  expect((await owners.of(MESSAGE)).map(({ user }) => user)).toEqual(['U1', 'U2', 'U3']);
  clock.now += KEPT_MS - 1;
  expect(await owners.of(MESSAGE)).toHaveLength(3);
  clock.now += 1;
  expect(await owners.of(MESSAGE)).toEqual([]);
});
