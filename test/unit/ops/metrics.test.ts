import { expect, test } from 'vitest';
import type { Readiness } from '../../../src/ops/health.ts';
import { createMetrics, type Gauges } from '../../../src/ops/metrics.ts';

const NOW = 1_000_000;

function measuring(readiness: Readiness, changes: Partial<Gauges> = {}) {
  const state = { readiness };
  const metrics = createMetrics({
    waitingRequests: () => 7,
    openLookups: async () => 3,
    oldestAcceptedAt: async () => NOW - 90_000,
    openReminders: async () => 2,
    openWatches: async () => 4,
    readiness: async () => state.readiness,
    now: () => NOW,
    ...changes,
  });
  const lines = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('snapshot_bot_'));
  return { metrics, state, lines };
}

const FINE: Readiness = { ready: true, reasons: [] };

test('A reason of the readiness is a metric as long as it lasts', async () => {
  const { state, lines } = measuring({ ready: false, reasons: [{ part: 'store', problem: 'away' }] });
  const trouble = async () => (await lines()).filter((line) => /_(?:ready|trouble)/.test(line));
  expect(await trouble()).toEqual(['snapshot_bot_ready 0', 'snapshot_bot_trouble{part="store"} 1']);
  state.readiness = { ready: true, reasons: [{ part: 'login', problem: 'refused' }] };
  expect(await trouble()).toEqual(['snapshot_bot_ready 1', 'snapshot_bot_trouble{part="login"} 1']);
  state.readiness = FINE;
  expect(await trouble()).toEqual(['snapshot_bot_ready 1']);
});

test('The gauges of the store are exported, and left out while the store is away', async () => {
  const gauges = async (lines: () => Promise<string[]>) =>
    (await lines()).filter((line) => /_open_|_oldest_/.test(line));
  expect(await gauges(measuring(FINE).lines)).toEqual([
    'snapshot_bot_open_lookups 3',
    'snapshot_bot_oldest_lookup_age_seconds 90',
    'snapshot_bot_open_reminders 2',
    'snapshot_bot_open_watches 4',
  ]);
  const none = measuring(FINE, { oldestAcceptedAt: async () => undefined });
  expect(await gauges(none.lines)).toContain('snapshot_bot_oldest_lookup_age_seconds 0');
  const ahead = measuring(FINE, { oldestAcceptedAt: async () => NOW + 5_000 });
  expect(await gauges(ahead.lines)).toContain('snapshot_bot_oldest_lookup_age_seconds 0');
  const fail = () => Promise.reject(new Error('away'));
  expect(
    await gauges(
      measuring(FINE, { openLookups: fail, oldestAcceptedAt: fail, openReminders: fail, openWatches: fail })
        .lines,
    ),
  ).toEqual([]);
});

test('The buckets reach from a quick answer to beyond what Slack and people wait for', async () => {
  const { metrics, lines } = measuring(FINE);
  metrics.answerSeconds.observe({ waited: 'false' }, 1);
  metrics.acknowledgementSeconds.observe({ kind: 'command' }, 1);
  const bounds = async (name: string) =>
    (await lines()).flatMap((line) => new RegExp(`^${name}_bucket.*?le="([^"]+)"`).exec(line)?.[1] ?? []);
  expect(await bounds('snapshot_bot_acknowledgement_seconds')).toEqual(
    '0.01 0.025 0.05 0.1 0.25 0.5 1 2 3 5 +Inf'.split(' '),
  );
  expect(await bounds('snapshot_bot_answer_seconds')).toEqual(
    '0.25 0.5 1 2.5 5 10 30 60 300 900 3600 14400 +Inf'.split(' '),
  );
});
