import { createMetrics } from '../../src/ops/metrics.ts';

/** A table of the bot's own metrics, each with its type and help. */
export async function metricsTable(): Promise<string> {
  const metrics = createMetrics({
    openLookups: async () => 0,
    openFollows: async () => 0,
    oldestAcceptedAt: async () => undefined,
    readiness: async () => ({ ready: true, reasons: [] }),
    now: Date.now,
  });
  const text = await metrics.text();
  const rows = [...text.matchAll(/^# HELP (snapshot_bot_\w+) (.+)\n# TYPE \w+ (\w+)$/gm)].map(
    ([, name, help, type]) => `| \`${name}\` | ${type} | ${help} |`,
  );
  return ['| metric | type | what it says |', '| --- | --- | --- |', ...rows.sort()].join('\n');
}
