import { describe, expect, test } from 'vitest';
import { CompositionFailed, type Delivered, type LookupStatus } from '../../../src/lookups/lookup-status.ts';
import { hooked } from '../../../src/slack/create-slack.ts';
import type { DeliveryEvent } from '../../../src/slack/front/feature.ts';
import { aLookup } from '../../support/a-lookup.ts';

const WAITING: LookupStatus = { kind: 'waiting', since: 1, reason: '', isProcessing: true };
const SHOWN: Delivered = { destination: { channel: 'C1', user: 'U1', messageTs: '1.1' }, isShown: true };
const LOOKUP = aLookup('one');

type Hook = (event: DeliveryEvent) => Promise<void>;
type Completing = (status: LookupStatus) => Promise<LookupStatus>;

function delivering(hooks: Hook[] = [], complete: Completing = async (status) => status) {
  const shown: LookupStatus[] = [];
  const bugs: unknown[] = [];
  const delivery = hooked(
    async (_lookup, status, save) => {
      shown.push(status);
      await save(SHOWN.destination);
      return SHOWN;
    },
    (_lookup, status) => complete(status),
    hooks,
    (error) => void bugs.push(error),
  );
  const saved: unknown[] = [];
  return {
    shown,
    bugs,
    saved,
    deliver: () => delivery(LOOKUP, WAITING, async (destination) => void saved.push(destination)),
  };
}

test('What completes a status is shown, and is what the hooks hear', async () => {
  const heard: unknown[] = [];
  const hear: Hook = async (event) => void heard.push(event);
  const told = { ...WAITING, reason: 'One.' };
  const { deliver, shown, saved, bugs } = delivering([hear, hear], async () => told);
  expect(await deliver()).toBe(SHOWN);
  expect([shown, saved, bugs]).toEqual([[told], [SHOWN.destination], []]);
  expect(heard).toEqual(Array.from({ length: 2 }, () => ({ lookup: LOOKUP, status: told, shown: SHOWN })));
});

describe('What completes a status', () => {
  test('has nothing shown where it fails, and the delivery repeated', async () => {
    const { deliver, shown } = delivering([], () => Promise.reject(new Error('away')));
    await expect(deliver()).rejects.toThrow('away');
    expect(shown).toEqual([]);
  });

  test('ends the lookup by a bug as a message that can’t be made does', async () => {
    const cause = new TypeError('undefined is no list');
    const { deliver, shown } = delivering([], () => Promise.reject(cause));
    const failing = deliver();
    await expect(failing).rejects.toThrow(CompositionFailed);
    await expect(failing).rejects.toMatchObject({ cause });
    expect(shown).toEqual([]);
  });
});

describe('A hook', () => {
  test('that fails after has the delivery repeated', async () => {
    const { deliver, bugs } = delivering([() => Promise.reject(new Error('away'))]);
    await expect(deliver()).rejects.toThrow('away');
    expect(bugs).toEqual([]);
  });

  test('that fails after keeps no other one from its work', async () => {
    const others: string[] = [];
    const other: Hook = async ({ lookup }) => void others.push(lookup.id);
    const bug: Hook = () => Promise.reject(new TypeError('a bug'));
    const { deliver, bugs } = delivering([other, bug, () => Promise.reject(new Error('away')), other]);
    await expect(deliver()).rejects.toThrow('away');
    expect([others, bugs.length]).toEqual([['one', 'one'], 1]);
  });

  test.each([
    ['outright', new TypeError('undefined is no list')],
    ['with a number', new RangeError('too many')],
    ['with a name', new ReferenceError('nothing is called so')],
    ['in the making of a message', new CompositionFailed({ cause: new TypeError('undefined is no list') })],
  ])('that fails after by a bug %s holds up neither the answer nor the next hook', async (_where, bug) => {
    const next: string[] = [];
    const { deliver, shown, bugs } = delivering([
      () => Promise.reject(bug),
      async ({ lookup }) => void next.push(lookup.id),
    ]);
    expect(await deliver()).toBe(SHOWN);
    expect([shown.length, next, bugs]).toEqual([1, ['one'], [bug]]);
  });
});
