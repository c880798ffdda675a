import { expect, test } from 'vitest';
import type { Lookup } from '../../../src/core/lookup.ts';
import { DeviceHistory } from '../../../src/lookups/device-history.ts';
import type { LookupStatus } from '../../../src/lookups/lookup-status.ts';
import { completedStatus } from '../../../src/slack/create-slack.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { aStore } from '../../support/embedded.ts';
import { NONE_ACCEPTED } from '../../support/listening.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const AT = 1_000_000;
const [LEAK, CRASH] = [aDiagnostic({ name: 'D1', title: 'tmm leaks' }), aDiagnostic({ name: 'D2' })];
const WAITING: LookupStatus = { kind: 'waiting', since: AT, reason: '', isProcessing: true };

const question = (id: string) => ({ snapshotId: snapshotId(id), set: 'all' as const });
const ready = (readAt: number, ...hits: Parameters<typeof aResult>[0]) => ({
  kind: 'ready' as const,
  result: aResult(hits),
  readAt,
});

function completing() {
  const history = new DeviceHistory({
    namespace: aStore().namespace('device-reads'),
    historyMs: 60_000,
    workspace: async () => 'T1',
    onError: () => {},
  });
  const before = (id: string, status: LookupStatus, asked: Partial<Lookup> = {}) => {
    const lookup = { ...aLookup('one'), question: question(id), ...asked };
    return completedStatus(lookup, status, { history, acceptances: NONE_ACCEPTED });
  };
  const last = async (at: number) => (await history.find(question('9'), ready(at)))?.question.snapshotId;
  return { before, last };
}

test('A result is completed with the last one of its device, and nothing else is', async () => {
  const { before } = completing();
  const result = ready(AT + 1, LEAK);
  expect(await before('1', ready(AT, LEAK))).toEqual(ready(AT, LEAK));
  expect(await before('2', result)).toEqual({
    ...result,
    lastRead: expect.objectContaining({ question: question('1'), at: AT, isNewer: false }),
  });
  expect(await before('2', result, { before: question('0') })).toEqual(result);
  expect(await before('2', result, { search: ['other'] })).not.toHaveProperty('lastRead');
  expect(await before('2', WAITING)).toBe(WAITING);
});

test('A result is recorded, both of a comparison, and nothing else', async () => {
  const { before, last } = completing();
  await before('1', WAITING);
  expect(await last(AT + 9)).toBeUndefined();
  const earlier = { result: aResult([LEAK]), readAt: AT };
  await before('3', { ...ready(AT + 1, CRASH), before: earlier }, { before: question('2') });
  expect([await last(AT + 9), await last(AT + 1)]).toEqual(['3', '2']);
});
