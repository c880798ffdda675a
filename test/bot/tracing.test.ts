import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { BotProcess } from '../support/bot-process.ts';
import { ask, test as base, shown } from '../support/conversation.ts';
import { test as processTest } from '../support/process-world.ts';

type Attribute = {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
};
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
};

/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:1';

/** A collector of a test's own. */
type Collector = {
  readonly endpoint: string;
  /** What it was sent, as text. */
  readonly received: string[];
  /** How many requests it has read and not answered, since it was told to answer none. */
  readonly unanswered: () => number;
  answerNone(): void;
  close(): void;
};

const withCollector = base.extend<{ collector: Collector }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture depends on.
  collector: async ({}, use) => {
    const collector = await startCollector();
    await use(collector);
    collector.close();
  },
});
// One waits for a collector that never comes; the others run beside it.
const test = withCollector.concurrent;

async function startCollector(): Promise<Collector> {
  const received: string[] = [];
  let isSilent = false;
  let unanswered = 0;
  const server = createServer((request, response) => {
    if (isSilent && request.method === 'POST') {
      unanswered += 1;
      response.on('close', () => {
        unanswered -= 1;
      });
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(`${request.url}\n${Buffer.concat(chunks).toString('utf8')}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    unanswered: () => unanswered,
    answerNone: () => {
      isSilent = true;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function spansIn(received: readonly string[]): Span[] {
  return received.flatMap((text) => {
    const [path, body = ''] = text.split('\n', 2);
    expect(path).toBe('/v1/traces');
    return JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    );
  });
}

test('A lookup that waits and is answered after a restart is one trace, down to each request', async ({
  open,
  collector: { endpoint, received },
}) => {
  const world = await open({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  world.service.nextAnswers([{ status: 202 }]);
  await world.slack.command({ text: '1012' });
  await shown(world, '1012 is still being processed');
  await world.restart();
  await shown(world, '1 hit');
  await world.stopBot();
  const found = spansIn(received);
  const root = found.find(({ name }) => name === 'lookup');
  expect(new Set(found.map(({ traceId }) => traceId))).toEqual(new Set([root?.traceId]));
  expect(root?.parentSpanId ?? '').toBe('');
  expect(root?.attributes).toContainEqual({ key: 'snapshot_bot.outcome', value: { stringValue: 'ready' } });
  const steps = found.filter(({ name }) => name === 'step');
  expect(steps.length).toBeGreaterThanOrEqual(2);
  for (const step of steps) expect(step.parentSpanId).toBe(root?.spanId);
  const requests = found.filter(({ name }) => name !== 'step' && name !== 'lookup');
  const stepIds = steps.map(({ spanId }) => spanId);
  for (const request of requests) expect(stepIds).toContain(request.parentSpanId);
  const names = requests.map(({ name }) => name);
  for (const name of [
    'login servers POST',
    'diagnostics service GET',
    'Slack chat.postMessage',
    'Slack chat.update',
  ]) {
    expect(names).toContain(name);
  }
});

test('Two lookups are two traces, without the id of a person or a snapshot, and without text of a result', async ({
  open,
  collector: { endpoint, received },
}) => {
  const world = await open({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  await ask(world, '1012');
  await ask(world, '7001');
  await world.stopBot();
  const found = spansIn(received);
  expect(new Set(found.map(({ traceId }) => traceId)).size).toBe(2);
  expect(found.filter(({ name }) => name === 'lookup')).toHaveLength(2);
  expect(received.join('')).not.toMatch(/U0[A-Z]|C0[A-Z]|\b1012\b|\b7001\b|edge-|K000|xoxb|commands\//);
});

test('A collector that can’t be reached disturbs no lookup', async ({ open }) => {
  const world = await open({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY } });
  expect((await ask(world, '1012')).text).toContain('1 hit');
});

test('A collector that never answers does not hold up a stop', async ({ open, collector }) => {
  const world = await open({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } });
  collector.answerNone();
  expect((await ask(world, '1012')).text).toContain('1 hit');
  await world.stopBot();
  // The client of OpenTelemetry itself would give up after ten seconds. Whatever it closed was seen before this answer.
  await fetch(collector.endpoint);
  expect(collector.unanswered()).toBe(1);
});

/** Keeps a process from loading any part of OpenTelemetry but its interface, which other libraries look for. */
const WITHOUT_SDK = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    if (/^@opentelemetry\\/(?!api$)/.test(name)) throw new Error('OpenTelemetry is loaded: ' + name);
    return next(name, context);
  } });
`)}`;

processTest.concurrent(
  'Without a collector OpenTelemetry is not loaded; with one it is',
  async ({ world }) => {
    const options = { NODE_OPTIONS: `--import=${WITHOUT_SDK}` };
    const bot = await world.start(options, 'shipped');
    expect(bot.isUp).toBe(true);
    await bot.end('SIGTERM');
    const tracing = {
      ...world.environment,
      ...options,
      OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY,
    };
    const other = new BotProcess(tracing, 'shipped');
    expect(await other.fail()).toBe(1);
    expect(other.log.join('')).toContain('OpenTelemetry is loaded');
  },
);
