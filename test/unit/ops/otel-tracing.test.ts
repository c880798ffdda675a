import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { otelTracing, type Tracing } from '../../../src/ops/otel-tracing.ts';
import { VERSION } from '../../../src/ops/replicas.ts';

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: object;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
};

const LOOKUP = { id: 'a-lookup', acceptedAt: 1_700_000_000_000 };

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a collector is sent of some work. */
async function traced(work: (tracing: Tracing, host: string) => Promise<unknown>, end = '/') {
  const bodies: string[] = [];
  const paths: (string | undefined)[] = [];
  const endpoint = await serving((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      paths.push(incoming.url);
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const host = await serving((incoming, response) => {
    if (incoming.url === '/gone') incoming.socket.destroy();
    else response.writeHead(503).end();
  });
  const upstreams = [{ origin: host, name: 'Slack' }];
  const tracing = otelTracing(`${endpoint}${end}`, upstreams);
  await work(tracing, host);
  await tracing.stop();
  const spans: Span[] = bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  const named = (name: string) => spans.filter((span) => span.name === name);
  return { paths, bodies, spans, named };
}

const attribute = ({ attributes }: Span, name: string) => attributes.find(({ key }) => key === name)?.value;
const get = async (address: string) => {
  const { body } = await request(address);
  await body.dump();
};

test('The end of a lookup is a span from its acceptance to its end, with what it ended in', async () => {
  const { paths, named, bodies } = await traced(
    async (tracing) => tracing.ended(LOOKUP, 'ready', LOOKUP.acceptedAt + 2_000),
    '',
  );
  expect(paths).toEqual(['/v1/traces']);
  const [root] = named('lookup');
  expect(root).toMatchObject({
    ...{ startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1700000002000000000' },
  });
  expect(root?.parentSpanId ?? '').toBe('');
  expect(root && attribute(root, 'snapshot_bot.outcome')).toEqual({ stringValue: 'ready' });
  expect(bodies.join()).toContain('{"key":"service.name","value":{"stringValue":"snapshot-bot"}}');
  expect(bodies.join()).toContain(`{"key":"service.version","value":{"stringValue":"${VERSION}"}}`);
});

test('Each step, whichever replica takes it, belongs to the trace of its lookup, and each request to its step', async () => {
  const work = async (tracing: Tracing, host: string) => {
    await tracing.step(LOOKUP, () => get(`${host}/api/chat.update?token=secret`));
    tracing.ended(LOOKUP, 'ready', LOOKUP.acceptedAt);
  };
  const [one, other] = [await traced(work), await traced(work)];
  const [[root], [step], [call]] = [one.named('lookup'), one.named('step'), one.named('Slack chat.update')];
  expect([step?.traceId, step?.parentSpanId]).toEqual([root?.traceId, root?.spanId]);
  expect([call?.traceId, call?.parentSpanId]).toEqual([root?.traceId, step?.spanId]);
  expect(call && attribute(call, 'http.response.status_code')).toEqual({ intValue: 503 });
  expect(call && attribute(call, 'peer.service')).toEqual({ stringValue: 'Slack' });
  expect(call && attribute(call, 'http.request.method')).toEqual({ stringValue: 'GET' });
  // What consumes a job, and what calls another system, as OTLP counts the kinds.
  expect([step?.kind, call?.kind]).toEqual([5, 3]);
  expect(other.named('lookup')[0]).toMatchObject({ traceId: root?.traceId, spanId: root?.spanId });
  expect(other.named('step')[0]?.spanId).not.toBe(step?.spanId);
  expect(one.bodies.join()).not.toContain('secret');
});

test('A request is named by its method alone where its path may hold an id, and its host where nobody knows it', async () => {
  const { spans } = await traced((tracing, host) =>
    tracing.step(LOOKUP, async () => {
      await get(`${host}/commands/T1/2/sesame`);
      await get(`${host.replace('127.0.0.1', 'localhost')}/api/auth.test`).catch(() => {});
    }),
  );
  const names = spans.map(({ name }) => name).sort();
  expect(names).toEqual(['Slack GET', 'other host auth.test', 'step']);
  expect(JSON.stringify(spans)).not.toContain('sesame');
});

test('What fails is marked with the name of its error alone: its text may hold private data', async () => {
  const { named, bodies } = await traced(async (tracing, host) => {
    await tracing.step(LOOKUP, () => get(`${host}/gone`)).catch(() => {});
    await tracing
      .step(LOOKUP, async () => {
        throw new TypeError('sesame');
      })
      .catch(() => {});
  });
  expect(named('Slack GET').map((span) => attribute(span, 'error.type'))).toEqual([
    { stringValue: 'SocketError' },
  ]);
  expect(named('step').map((span) => attribute(span, 'error.type'))).toContainEqual({
    stringValue: 'TypeError',
  });
  expect(named('step').map(({ status }) => status)).toContainEqual({ code: 2, message: 'TypeError' });
  expect(bodies.join()).not.toContain('sesame');
});

test('Outside a step, and after a stop, no request is traced', async () => {
  const { spans } = await traced(async (_tracing, host) => get(`${host}/api/auth.test`));
  expect(spans).toEqual([]);
});
