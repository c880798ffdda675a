import type { Tracing, TracingSettings } from './otel-tracing.ts';

const NO_TRACING: Tracing = {
  step: (_lookup, work) => work(),
  ended: () => {},
  stop: async () => {},
};

/** Tracing as the settings say. OpenTelemetry is loaded only where there is somebody to send to. */
export async function openTracing(settings: TracingSettings | undefined): Promise<Tracing> {
  if (settings === undefined) return NO_TRACING;
  const { OtelTracing } = await import('./otel-tracing.ts');
  return new OtelTracing(settings);
}
