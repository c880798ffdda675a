import { describe, expect, test } from 'vitest';
import { CompositionFailed, type Delivered, type LookupStatus } from '../../../src/lookups/lookup-status.ts';
import { hooked } from '../../../src/slack/create-slack.ts';
import type { DeliveryEvent, DeliveryHook } from '../../../src/slack/front/feature.ts';
import { aLookup } from '../../support/a-lookup.ts';

const WAITING: LookupStatus = { kind: 'waiting', since: 1, reason: '', isProcessing: true };
const SHOWN: Delivered = { destination: { channel: 'C1', user: 'U1', messageTs: '1.1' }, isShown: true };
const LOOKUP = aLookup('one');

function delivering(...hooks: DeliveryHook[]) {
  const shown: LookupStatus[] = [];
  const bugs: unknown[] = [];
  const delivery = hooked(
    async (_lookup, status, save) => {
      shown.push(status);
      await save(SHOWN.destination);
      return SHOWN;
    },
    hooks,
    (error) => void bugs.push(error),
  );
  const saved: unknown[] = [];
  return {
    shown,
    bugs,
    saved,
    deliver: (status = WAITING) =>
      delivery(LOOKUP, status, async (destination) => void saved.push(destination)),
  };
}

test('What each hook adds is what is shown, and what the hooks after it hear', async () => {
  const heard: unknown[] = [];
  const saying = (reason: string): DeliveryHook => ({
    before: async (_lookup, status) =>
      status.kind === 'waiting' ? { ...status, reason: `${status.reason}${reason}` } : status,
    after: async (event) => void heard.push(event),
  });
  const { deliver, shown, saved, bugs } = delivering(saying('One.'), {}, saying('Two.'));
  expect(await deliver()).toBe(SHOWN);
  const told = { ...WAITING, reason: 'One.Two.' };
  expect([shown, saved, bugs]).toEqual([[told], [SHOWN.destination], []]);
  expect(heard).toEqual(Array.from({ length: 2 }, () => ({ lookup: LOOKUP, status: told, shown: SHOWN })));
});

describe('A hook', () => {
  test('that fails before has nothing shown, and the delivery repeated', async () => {
    const { deliver, shown } = delivering({ before: () => Promise.reject(new Error('away')) });
    await expect(deliver()).rejects.toThrow('away');
    expect(shown).toEqual([]);
  });

  test('that fails after has the delivery repeated', async () => {
    const { deliver, bugs } = delivering({ after: () => Promise.reject(new Error('away')) });
    await expect(deliver()).rejects.toThrow('away');
    expect(bugs).toEqual([]);
  });

  test('that fails after keeps no other one from its work', async () => {
    const others: string[] = [];
    const other = { after: async ({ lookup }: DeliveryEvent) => void others.push(lookup.id) };
    const bug = { after: () => Promise.reject(new TypeError('a bug')) };
    const { deliver, bugs } = delivering(
      other,
      bug,
      { after: () => Promise.reject(new Error('away')) },
      other,
    );
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
    const { deliver, shown, bugs } = delivering(
      { after: () => Promise.reject(bug) },
      { after: async ({ lookup }) => void next.push(lookup.id) },
    );
    expect(await deliver()).toBe(SHOWN);
    expect([shown.length, next, bugs]).toEqual([1, ['one'], [bug]]);
  });

  test('that fails before by a bug ends the lookup as a message that can’t be made does', async () => {
    const cause = new TypeError('undefined is no list');
    const { deliver, shown } = delivering({ before: () => Promise.reject(cause) });
    const failing = deliver();
    await expect(failing).rejects.toThrow(CompositionFailed);
    await expect(failing).rejects.toMatchObject({ cause });
    expect(shown).toEqual([]);
  });

  test('adds nothing to the message of a bug, because the bug may be in the hook', async () => {
    const broken: LookupStatus = { kind: 'broken', reference: '1f9c03ab' };
    const { deliver, shown } = delivering({
      before: () => Promise.reject(new TypeError('undefined is no list')),
    });
    expect(await deliver(broken)).toBe(SHOWN);
    expect(shown).toEqual([broken]);
  });
});
