import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Store } from '../core/store.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of the bot, as package.json states it. */
export const VERSION = version;
/** The User-Agent, which tells the service's operators who is calling. */
export const USER_AGENT = `snapshot-bot/${VERSION} (Slack bot for snapshot diagnostics)`;

const BEAT_MS = 30_000;
/** A replica that has missed three heartbeats counts as gone. */
const SEEN_MS = 100_000;

export type Replicas = ReturnType<typeof replicasIn>;

/** Registers this replica in the shared store, with the version that it runs, and lists all. */
export function replicasIn(store: Pick<Store, 'namespace'>) {
  const namespace = store.namespace<{ readonly version: string }>('replicas');
  const id = randomUUID();
  // A heartbeat that fails is made up for by the next.
  const beat = () => void namespace.set(id, { version: VERSION }, SEEN_MS).catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      beat();
      timer = setInterval(beat, BEAT_MS).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await namespace.delete(id).catch(() => {});
    },
    /** The versions of all running replicas, this one included. Throws `StorageFailed`. */
    versions: async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const [, { version }] of namespace.entries()) found.push(version);
      return found;
    },
  };
}
