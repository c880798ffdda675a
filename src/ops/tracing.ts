/** A lookup as traces know it: its id is the trace's, so that every step on every replica finds it. */
export type Traced = { readonly id: string; readonly acceptedAt: number };

/** Writes down what a lookup did and when. Nothing of it holds a person's id, a snapshot's, or a text of a result. */
export interface Tracing {
  /** Does one step of a lookup; requests made in it are part of the step. */
  step<T>(lookup: Traced, work: () => Promise<T>): Promise<T>;
  /** The lookup is over: its whole life is known. */
  ended(lookup: Traced, outcome: string, at: number): void;
  /** Sends what is not sent yet. Does not throw. */
  stop(): Promise<void>;
}

/** Where traces are sent, and how requests are named: each address by what it belongs to. */
export type TracingSettings = {
  /** The base address of a collector that speaks OTLP over HTTP. */
  readonly endpoint: string;
  readonly version: string;
  readonly upstreams: readonly { readonly origin: string; readonly name: string }[];
};
