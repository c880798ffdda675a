/**
 * What traces need of a lookup: the trace's id is derived from its id, so that the steps of all replicas share a trace.
 */
export type Traced = { readonly id: string; readonly acceptedAt: number };

/** Records the steps of lookups. No span holds the id of a person or a snapshot, or a text of a result. */
export interface Tracing {
  /** Runs one step of a lookup; requests during it become part of its span. */
  step<T>(lookup: Traced, work: () => Promise<T>): Promise<T>;
  /** Records the end of a lookup. */
  ended(lookup: Traced, outcome: string, at: number): void;
  /** Sends the remaining spans; it can take ten seconds until this gives a collector up. Does not throw. */
  stop(): Promise<void>;
}

/** Where traces are sent, and how requests are named: each origin by the system that it belongs to. */
export type TracingSettings = {
  /** The base address of a collector that speaks OTLP over HTTP. */
  readonly endpoint: string;
  readonly version: string;
  readonly upstreams: readonly { readonly origin: string; readonly name: string }[];
};
