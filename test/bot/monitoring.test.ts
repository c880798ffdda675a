import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test as plainTest } from 'vitest';
import { parse } from 'yaml';
import { metricsOf } from '../support/at-rest.ts';
import { ask, shown, test } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has, pathTo } from '../support/needs.ts';
import { openWorld } from '../support/world.ts';

const NAME = /\b(?:snapshot_bot|nodejs|process)_\w+/g;
const SELECTOR = /(\w+)\{([^}]*)\}/g;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/g;
const GROUPING = /\bby \(([^)]*)\)/g;
/** A query names a histogram with one of these suffixes. */
const SUFFIX = /_(?:bucket|count|sum)$/;

/** Every query of the dashboard and the alerts, with its panel or alert. */
function queries(): [where: string, query: string][] {
  const dashboard = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8'));
  const { groups } = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8'));
  return [
    ...dashboard.panels.flatMap(({ title, targets }: { title: string; targets: { expr: string }[] }) =>
      targets.map(({ expr }) => [`panel ${title}`, expr]),
    ),
    ...groups.flatMap(({ rules }: { rules: { alert: string; expr: string }[] }) =>
      rules.map(({ alert, expr }) => [`alert ${alert}`, expr]),
    ),
  ];
}

/** The metrics of a bot that has answered, waited, failed and been refused. */
async function richMetrics(): Promise<string> {
  const world = await openWorld();
  await ask(world, '1012');
  await ask(world, '7001');
  world.service.shelve('7002', { title: 'Slow', purpose: 'Waits.', processing: { forMs: 'forever' } });
  await world.slack.command({ text: '7002' });
  await shown(world, '7002 is still being processed');
  world.service.nextAnswers([{ status: 202 }], '1002');
  await world.slack.command({ text: '1002' });
  await shown(world, '180 checks passed');
  // The bot counts an answer when Slack has confirmed it.
  await eventually(async () =>
    expect(await metricsOf(world)).toMatch(/answer_seconds_count\{.*waited="true"/),
  );
  const text = await metricsOf(world);
  await world.close();
  return text;
}

/** The metrics of a bot with a refused account, token and key, a full audit disk and a failing service. */
async function troubledMetrics(): Promise<string> {
  const world = await openWorld({ variables: { AUDIT_FILE: '/dev/full', STATE_KEY: keyOf(1) } });
  world.service.shelve('7003', { title: 'Slow', purpose: 'Waits.', processing: { forMs: 'forever' } });
  await world.slack.command({ text: '7003' });
  await shown(world, '7003 is still being processed');
  await world.restart({ STATE_KEY: keyOf(2) });
  world.service.nextAnswers([{ status: 503 }], '1012');
  await ask(world, '1012');
  world.service.expireSessions();
  world.service.switches.loginRefused = true;
  await ask(world, '1002');
  world.slack.failNext('*', ...Array.from({ length: 50 }, () => ({ error: 'token_revoked' })));
  await world.slack.command({ text: '1001' });
  await eventually(async () => expect(await metricsOf(world)).toContain('trouble{part="slack token"} 1'));
  const text = await metricsOf(world);
  await world.close();
  return text;
}

function keyOf(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64');
}

type Sample = Readonly<Record<string, string>>;

/** The labels of each sample of a metric. */
function samplesOf(text: string, name: string): Sample[] {
  const lines = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? \\S+$`, 'gm'))];
  return lines.map(([, labels = '']) =>
    Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value])),
  );
}

/** Whether the sample fits the matchers of a query. Every label that they name must exist, also in `!=`. */
function isTaken(sample: Sample, matchers: string): boolean {
  return [...matchers.matchAll(MATCHER)].every(([, label = '', operator = '', value = '']) => {
    const found = sample[label];
    if (found === undefined) return false;
    if (operator.startsWith('!')) return true;
    return operator === '=' ? found === value : new RegExp(`^(?:${value})$`).test(found);
  });
}

plainTest(
  'Every query of the dashboard and the alerts asks for metrics, labels and values that the bot has',
  async () => {
    const text = (await richMetrics()) + (await troubledMetrics());
    const found = queries();
    expect(found.length).toBeGreaterThan(30);
    for (const [where, query] of found) {
      const names = query.match(NAME) ?? [];
      expect(names.length, where).toBeGreaterThan(0);
      for (const name of names)
        expect(text, `${where}: ${name}`).toMatch(new RegExp(`^# TYPE ${name.replace(SUFFIX, '')} `, 'm'));
      for (const [selector, name = '', matchers = ''] of query.matchAll(SELECTOR)) {
        const taken = samplesOf(text, name).filter((sample) => isTaken(sample, matchers));
        expect(taken.length, `${where}: ${selector}`).toBeGreaterThan(0);
      }
      // Prometheus adds the label `instance`.
      const labels = ['instance', ...names.flatMap((name) => samplesOf(text, name).flatMap(Object.keys))];
      for (const [, grouping = ''] of query.matchAll(GROUPING))
        for (const label of grouping.split(', ')) expect(labels, where).toContain(label);
    }
  },
);

plainTest.runIf(has('promtool'))(
  'promtool finds no fault in the alerts, and each fires once in its test',
  () => {
    const promtool = pathTo('promtool') ?? 'promtool';
    const run = (...args: string[]) => execFileSync(promtool, args, { encoding: 'utf8', stdio: 'pipe' });
    const config = run('check', 'config', 'deploy/prometheus/prometheus.yml');
    expect(config).toMatch(/SUCCESS: 1 rule files found.*valid prometheus config.*SUCCESS: \d+ rules/s);
    expect(run('test', 'rules', 'deploy/prometheus/alerts.test.yml')).toContain('SUCCESS');
    const tested = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8');
    for (const { alert } of parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')).groups[0].rules) {
      expect(tested, alert).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:\\n`));
    }
  },
);

plainTest.runIf(has('promtool'))('promtool finds no fault in what /metrics answers', async () => {
  // prom-client chooses the names of Node's own metrics.
  const text = (await richMetrics()).replace(/^.*\bnodejs_\w+_total\b.*\n/gm, '');
  const check = () =>
    execFileSync(pathTo('promtool') ?? 'promtool', ['check', 'metrics'], {
      input: text,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  expect(check).not.toThrow();
});

test('No metric label has a value that people can choose', async ({ world }) => {
  for (const text of ['1012', 'x'.repeat(100), 'no such word', '1002 hit'])
    await world.slack.command({ text });
  await world.slack.command({ text: '1012', channel: 'secret' });
  const labels = [...(await metricsOf(world)).matchAll(/^snapshot_bot_\w+\{([^}]*)\}/gm)].flatMap(
    ([, list = '']) => [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => `${name}=${value}`),
  );
  // The code chooses the bucket bounds of a histogram, so they may be numbers.
  const chosen = labels.filter((label) => !/^le=(?:[\d.]+|\+Inf)$/.test(label));
  expect(chosen.length).toBeGreaterThan(0);
  for (const label of chosen) expect(label).not.toMatch(/\d{4,}|U0|C0|no such word|xxx/);
});
