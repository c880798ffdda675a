import { randomUUID } from 'node:crypto';
import type { Namespace, Store } from '../core/store.ts';
import { VERSION } from './version.ts';

/** A replica that shares the store, and the version that it runs. */
type Replica = { readonly version: string };

const BEAT_MS = 30_000;
/** A replica that has missed three heartbeats counts as gone. */
const SEEN_MS = 100_000;

/** Registers this replica in the shared store, and lists the others. */
export class Replicas {
  readonly #namespace: Namespace<Replica>;
  readonly #id = randomUUID();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store) {
    this.#namespace = store.namespace('replicas');
  }

  start(): void {
    this.#beat();
    this.#timer = setInterval(() => this.#beat(), BEAT_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#namespace.delete(this.#id).catch(() => {});
  }

  /** The versions of all running replicas, this one included. Throws `StorageFailed`. */
  async versions(): Promise<string[]> {
    const found: string[] = [];
    for await (const [, { version }] of this.#namespace.entries()) found.push(version);
    return found;
  }

  /** A heartbeat that fails is made up for by the next. */
  #beat(): void {
    this.#namespace.set(this.#id, { version: VERSION }, SEEN_MS).catch(() => {});
  }
}
