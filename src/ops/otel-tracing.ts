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

/** Random ids, except for the root span of a lookup: all replicas must derive the same one. */
class Ids implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: { readonly traceId: string; readonly spanId: string } | undefined;

  generateTraceId(): string {
    return this.next?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.next?.spanId ?? this.#random.generateSpanId();
  }
}

export type Tracing = Pick<OtelTracing, 'step' | 'ended' | 'stop'>;

/**
 * Traces with OpenTelemetry: one for each lookup, with a span for each step and each request in it. No span holds the id
 * of a person or a snapshot, or a text of a result.
 */
export class OtelTracing {
  readonly #ids = new Ids();
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #current = new AsyncLocalStorage<Context>();
  readonly #requests = new WeakMap<UndiciRequest, Span>();
  readonly #upstreams: Upstreams;
  readonly #listeners = [
    ['undici:request:create', (message: unknown) => this.#began(message)],
    ['undici:request:headers', (message: unknown) => this.#answered(message)],
    ['undici:request:error', (message: unknown) => this.#failed(message)],
  ] as const;

  /** `endpoint`: the base address of a collector that speaks OTLP over HTTP. */
  constructor(endpoint: string, upstreams: Upstreams) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.endsWith('/') ? endpoint.slice(0, -1) : endpoint}/v1/traces`,
    });
    this.#provider = new TracerProvider({
      idGenerator: this.#ids,
      resource: resourceFromAttributes({ 'service.name': NAME, 'service.version': VERSION }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.#tracer = this.#provider.getTracer(NAME, VERSION);
    this.#upstreams = upstreams;
    for (const [event, tell] of this.#listeners) channel(event).subscribe(tell);
  }

  /** Runs one step of a lookup; requests during it become part of its span. */
  async step<T>(lookup: Traced, work: () => Promise<T>): Promise<T> {
    const span = this.#tracer.startSpan('step', { kind: SpanKind.CONSUMER }, within(lookup));
    try {
      return await this.#current.run(trace.setSpan(ROOT_CONTEXT, span), work);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Records the end of a lookup. */
  ended(lookup: Traced, outcome: string, at: number): void {
    this.#ids.next = idsOf(lookup);
    const attributes = { 'snapshot_bot.outcome': outcome };
    const options = { startTime: lookup.acceptedAt, root: true, attributes };
    const span = this.#tracer.startSpan('lookup', options, ROOT_CONTEXT);
    this.#ids.next = undefined;
    span.end(at);
  }

  /** Sends the remaining spans; it can take ten seconds until this gives a collector up. Does not throw. */
  async stop(): Promise<void> {
    for (const [event, tell] of this.#listeners) channel(event).unsubscribe(tell);
    await this.#provider.shutdown().catch(() => {});
  }

  #began(message: unknown): void {
    const context = this.#current.getStore();
    if (context === undefined) return;
    const { request } = message as Told;
    const { method, path } = request;
    const upstream =
      this.#upstreams.find(({ origin }) => origin === String(request.origin))?.name ?? 'other host';
    const called = path.split('?', 1)[0]?.split('/api/').at(-1) ?? '';
    const name = `${upstream} ${API_METHOD.test(called) ? called : method}`;
    const attributes = { 'http.request.method': method, 'peer.service': upstream };
    this.#requests.set(request, this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context));
  }

  #answered(message: unknown): void {
    const { request, response } = message as Told;
    const span = this.#requests.get(request);
    span?.setAttribute('http.response.status_code', response?.statusCode ?? 0);
    span?.end();
  }

  #failed(message: unknown): void {
    const { request, error } = message as Told;
    const span = this.#requests.get(request);
    if (span === undefined) return;
    fail(span, error);
    span.end();
  }
}

/** Only the name of an error, because its message may hold private data. */
function fail(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : 'unknown';
  span.setStatus({ code: SpanStatusCode.ERROR, message: name });
  span.setAttribute('error.type', name);
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
