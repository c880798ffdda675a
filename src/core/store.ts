/** Values of one kind, kept sealed through restarts. Every method throws `StorageFailed` when it can't be done. */
export interface Kept<Value> {
  get(key: string): Promise<Value | undefined>;
  /** `ttlMs` is how long the value is kept; without it, until it is deleted. */
  set(key: string, value: Value, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  entries(): AsyncIterable<readonly [key: string, value: Value]>;
}

/** Names that only one holder can have at a time, across everything that shares the store. */
export interface Claims {
  /** Takes the name for `ms` milliseconds; false when somebody holds it. Atomic. */
  take(name: string, ms: number): Promise<boolean>;
  /** Holds the name for `ms` milliseconds from now, whoever had it. */
  hold(name: string, ms: number): Promise<void>;
  release(name: string): Promise<void>;
  /** Milliseconds until the name is free; 0 when it is. */
  remaining(name: string): Promise<number>;
}

/** Seals and opens a text with the keys of the store. */
export interface TextSealer {
  seal(text: string): Promise<string>;
  open(sealed: string): Promise<string>;
}

/** Where everything that outlives a process is kept. */
export interface Store {
  kept<Value>(namespace: string): Kept<Value>;
  readonly claims: Claims;
  /** Throws `StorageFailed` when nothing could be written now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
