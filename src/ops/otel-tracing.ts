import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { VERSION } from './replicas.ts';

/**
 * What traces need of a lookup: the trace's id is derived from its id, so that the steps of all replicas share a trace.
 */
type Traced = { readonly id: string; readonly acceptedAt: number };

/** How requests are named: each origin by the system that it belongs to. */
type Upstreams = readonly { readonly origin: string; readonly name: string }[];

const NAME = 'snapshot-bot';
/** Paths of the Web API name a method; any other path may hold a secret or an id. */
const API_METHOD = /^[a-z]+(?:\.[a-zA-Z]+)+$/;

/** The events that undici publishes for each request (https://undici.nodejs.org/#/docs/api/DiagnosticsChannel). */
type UndiciRequest = { readonly origin: unknown; readonly method: string; readonly path: string };
type Told = {
  readonly request: UndiciRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: Error;
};

/** Random ids, except for the root span of a lookup: all replicas must derive the same one, which is that of `root`. */
function idsWithRoots(): IdGenerator & {
  root: { readonly traceId: string; readonly spanId: string } | undefined;
} {
  const random = new RandomIdGenerator();
  return {
    root: undefined,
    generateTraceId() {
      return this.root?.traceId ?? random.generateTraceId();
    },
    generateSpanId() {
      return this.root?.spanId ?? random.generateSpanId();
    },
  };
}

export type Tracing = ReturnType<typeof otelTracing>;

/**
 * Traces with OpenTelemetry: one for each lookup, with a span for each step and each request in it. No span holds the id
 * of a person or a snapshot, or a text of a result. `endpoint`: the base address of a collector that speaks OTLP over HTTP.
 */
export function otelTracing(endpoint: string, upstreams: Upstreams) {
  const ids = idsWithRoots();
  const url = `${endpoint.endsWith('/') ? endpoint.slice(0, -1) : endpoint}/v1/traces`;
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({ 'service.name': NAME, 'service.version': VERSION }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const tracer = provider.getTracer(NAME, VERSION);
  const current = new AsyncLocalStorage<Context>();
  const stopRequests = traceRequests(tracer, upstreams, () => current.getStore());
  return {
    /** Runs one step of a lookup; requests during it become part of its span. */
    step: async <T>(lookup: Traced, work: () => Promise<T>): Promise<T> => {
      const span = tracer.startSpan('step', { kind: SpanKind.CONSUMER }, within(lookup));
      try {
        return await current.run(trace.setSpan(ROOT_CONTEXT, span), work);
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    /** Records the end of a lookup. */
    ended: (lookup: Traced, outcome: string, at: number): void => {
      ids.root = idsOf(lookup);
      const attributes = { 'snapshot_bot.outcome': outcome };
      const options = { startTime: lookup.acceptedAt, root: true, attributes };
      const span = tracer.startSpan('lookup', options, ROOT_CONTEXT);
      ids.root = undefined;
      span.end(at);
    },
    /** Sends the remaining spans; it can take ten seconds until this gives a collector up. Does not throw. */
    stop: async (): Promise<void> => {
      stopRequests();
      await provider.shutdown().catch(() => {});
    },
  };
}

/** Traces each request that is sent within a context; gives what ends that. */
function traceRequests(tracer: Tracer, upstreams: Upstreams, contextNow: () => Context | undefined) {
  const spans = new WeakMap<UndiciRequest, Span>();
  const began = ({ request }: Told) => {
    const context = contextNow();
    if (context === undefined) return;
    const { origin, method, path } = request;
    const upstream = upstreams.find((each) => each.origin === String(origin))?.name ?? 'other host';
    const called = path.split('?', 1)[0]?.split('/api/').at(-1) ?? '';
    const name = `${upstream} ${API_METHOD.test(called) ? called : method}`;
    const attributes = { 'http.request.method': method, 'peer.service': upstream };
    spans.set(request, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context));
  };
  const answered = ({ request, response }: Told) =>
    spans
      .get(request)
      ?.setAttribute('http.response.status_code', response?.statusCode ?? 0)
      .end();
  const failed = ({ request, error }: Told) => {
    const span = spans.get(request);
    if (span !== undefined) fail(span, error).end();
  };
  const listeners = Object.entries({ create: began, headers: answered, error: failed }).map(
    ([event, tell]) =>
      [channel(`undici:request:${event}`), (message: unknown) => tell(message as Told)] as const,
  );
  for (const [told, tell] of listeners) told.subscribe(tell);
  return () => {
    for (const [told, tell] of listeners) told.unsubscribe(tell);
  };
}

/** Only the name of an error, because its message may hold private data. */
function fail(span: Span, error: unknown): Span {
  const name = error instanceof Error ? error.name : 'unknown';
  return span.setStatus({ code: SpanStatusCode.ERROR, message: name }).setAttribute('error.type', name);
}

function idsOf({ id }: Traced): { traceId: string; spanId: string } {
  const digest = createHash('sha256').update(id).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** The root span of a lookup, which is written when the lookup ends. */
function within(lookup: Traced): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...idsOf(lookup),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}
