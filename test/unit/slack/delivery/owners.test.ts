import { expect, test } from 'vitest';
import { ownersOf } from '../../../../src/slack/delivery/owners.ts';
import { aStore } from '../../../support/embedded.ts';

const KEPT_MS = 60_000;
const MESSAGE = { channel: 'C1', ts: '1.1' };
const [ANA, BEN] = [
  { user: 'U1', since: 5 },
  { user: 'U2', since: 6 },
];

function owning() {
  const clock = { now: 1_000 };
  const store = aStore(() => clock.now);
  return { clock, store, owners: ownersOf(store, KEPT_MS) };
}

test('Of several who press at once the first one is on it, until somebody else takes over or it is released', async () => {
  const { owners, store } = owning();
  expect(await Promise.all([ANA, BEN].map((owner) => owners.claim(MESSAGE, owner)))).toEqual([
    undefined,
    ANA,
  ]);
  expect(await owners.of(MESSAGE)).toEqual(ANA);
  expect(await owners.replace(MESSAGE, BEN)).toEqual(ANA);
  expect(await owners.of(MESSAGE)).toEqual(BEN);
  expect(await owners.replace(MESSAGE, undefined)).toEqual(BEN);
  expect(await Array.fromAsync(store.namespace('owners').entries())).toEqual([]);
});

test('Another message, or the same time in another channel, has its own owner', async () => {
  const { owners } = owning();
  await owners.claim(MESSAGE, ANA);
  expect(await owners.of({ ...MESSAGE, ts: '2.2' })).toBeUndefined();
  expect(await owners.of({ ...MESSAGE, channel: 'C2' })).toBeUndefined();
});

test('An owner stays for as long as the history, and a message for as long as its window can change it', async () => {
  const { owners, clock } = owning();
  const message = { text: 'a result', blocks: [] };
  await owners.claim(MESSAGE, ANA);
  clock.now += KEPT_MS - 1;
  expect(await owners.of(MESSAGE)).toEqual(ANA);
  clock.now += 1;
  expect(await owners.of(MESSAGE)).toBeUndefined();
  await owners.keep(MESSAGE, message);
  clock.now += 30 * 60_000 - 1;
  expect(await owners.kept(MESSAGE)).toEqual(message);
  clock.now += 1;
  expect(await owners.kept(MESSAGE)).toBeUndefined();
});
