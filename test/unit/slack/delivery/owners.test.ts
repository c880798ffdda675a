import { expect, test } from 'vitest';
import { readState, stateValue } from '../../../../src/slack/blocks/action-values.ts';
import { actions, type Message } from '../../../../src/slack/blocks/blocks.ts';
import { ownersOf, redrawn, replaceOwned } from '../../../../src/slack/delivery/owners.ts';
import { aStore } from '../../../support/embedded.ts';
import { STATE } from '../../../support/shown-results.ts';

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

test('A message is drawn again where its owner changed meanwhile, each time with another id of its controls', async () => {
  const { owners } = owning();
  const controls = { ...actions([]), block_id: stateValue(STATE) };
  const replaced: Message[] = [];
  const replace = async (message: Message) => {
    if (replaced.push(message) === 1) await owners.replace(MESSAGE, BEN);
  };
  const context = { owners };
  await owners.claim(MESSAGE, ANA);
  await replaceOwned(
    { channel: MESSAGE.channel, messageTs: MESSAGE.ts },
    context,
    (times) => redrawn({ text: '', blocks: [controls] }, times),
    replace,
  );
  const turns = replaced.map(({ blocks }) => readState(blocks.at(-1)?.block_id).turn - STATE.turn);
  expect(turns).toEqual([1, 2]);
});
