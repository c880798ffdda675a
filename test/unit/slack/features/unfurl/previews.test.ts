import { expect, test } from 'vitest';
import { ServiceFailed } from '../../../../../src/core/faults.ts';
import type { LookupStatus } from '../../../../../src/lookups/lookup-status.ts';
import { previews } from '../../../../../src/slack/features/unfurl/previews.ts';
import { aResult } from '../../../../support/a-diagnostic.ts';
import { aLookup } from '../../../../support/a-lookup.ts';
import { featureParts } from '../../../../support/feature-parts.ts';

const LINK = { url: 'https://service.example.com/snapshots/26808463', messageTs: '1.1' };
const DEADLINE = 60_000;
const READY: LookupStatus = { kind: 'ready', result: aResult([]), readAt: 0 };
const UNSURE = new Error('the connection broke');

/** Shows a status under a link, so many milliseconds after the end of the wait, while Slack gives this answer. */
function shown(status: LookupStatus, answer: string | Error, lateMs: number) {
  const parts = featureParts(() => answer);
  parts.clock.now = DEADLINE + lateMs;
  const destination = { channel: 'C1', user: 'U1', link: LINK };
  return previews(parts)({ ...aLookup('one'), destination, deadline: DEADLINE }, status, async () => {});
}

test('A result that may not stand under its link is shown again until the wait is over, and not after that', async () => {
  await expect(shown(READY, UNSURE, 0)).rejects.toThrow();
  expect(await shown(READY, UNSURE, 1)).toMatchObject({ isShown: true, isOver: true });
});

test('What Slack refuses to show under a link ends its lookup', async () => {
  expect(await shown(READY, 'cannot_unfurl_message', -1)).toMatchObject({ isShown: true, isOver: true });
});

test('A wait is shown under a link only as long as the service says that it processes the snapshot', async () => {
  const waiting = { kind: 'waiting', since: 0, reason: '', isProcessing: true, units: [] } as const;
  const calls = async (status: LookupStatus) => {
    const parts = featureParts(() => ({}));
    const destination = { channel: 'C1', user: 'U1', link: LINK };
    await previews(parts)({ ...aLookup('one'), destination, deadline: DEADLINE }, status, async () => {});
    return parts.calls.length;
  };
  const trouble = new ServiceFailed('diagnostics service', 503);
  const others: LookupStatus[] = [
    { ...waiting, isProcessing: false },
    { ...waiting, trouble },
  ];
  expect([await calls(waiting), ...(await Promise.all(others.map(calls)))]).toEqual([1, 0, 0]);
});
