import type { Config } from '../config.ts';
import { portUnusable } from '../core/cannot-start.ts';
import { inTime } from '../core/deadline.ts';
import type { Lookups } from '../lookups/lookups.ts';
import type { OpsServer } from '../ops/server.ts';
import type { Tracing } from '../ops/tracing.ts';
import type { Replicas } from '../replicas.ts';
import type { proxyAgent, Transport } from '../service/transport.ts';
import type { SlackApp } from '../slack/connection/bolt-app.ts';
import type { Feature } from '../slack/front/feature.ts';
import type { Storage } from '../storage/backend/storage.ts';

/** How long running steps may take at a stop; later ones are stored for the next start. */
const DRAIN_MS = 6_000;
/** How long a collector may take to accept the last spans. All of a stop must be over within ten seconds. */
const LAST_SPANS_MS = 1_500;

/** How the bot starts and stops, and where it listens. */
export type Lifecycle = {
  /** Resumes what was open, then listens. Throws when Slack refuses the token or the port is taken. */
  start(): Promise<void>;
  /** Takes no more work, stores what is open, and closes everything. */
  stop(): Promise<void>;
  port(): number;
  /** Where `/healthz`, `/readyz` and `/metrics` are. */
  opsPort(): number;
};

type Parts = {
  readonly config: Config;
  readonly slack: SlackApp;
  readonly lookups: Lookups;
  readonly features: readonly Pick<Feature, 'start'>[];
  readonly storage: Storage;
  readonly transport: Transport;
  readonly dispatcher: ReturnType<typeof proxyAgent>;
  readonly server: OpsServer | undefined;
  readonly tracing: Tracing;
  readonly replicas: Replicas;
};

async function startServer({ opsPort, port }: Config, server: OpsServer | undefined): Promise<void> {
  try {
    await server?.start();
  } catch (error) {
    throw opsPort === undefined
      ? portUnusable('PORT', port, error)
      : portUnusable('OPS_PORT', opsPort, error);
  }
}

/** Starts the parts in the order in which they need each other, and stops them in the opposite one. */
export function lifecycle({
  config,
  slack,
  lookups,
  features,
  storage,
  transport,
  dispatcher,
  server,
  tracing,
  replicas,
}: Parts): Lifecycle {
  return {
    start: async () => {
      await startServer(config, server);
      replicas.start();
      await lookups.start();
      for (const feature of features) await feature.start?.();
      await slack.start();
    },
    stop: async () => {
      await slack.stop();
      const drained = [storage.queue.stop(DRAIN_MS), storage.reminders.stop(DRAIN_MS)];
      // The queues begin no step any more, and no running one waits for a service that may be gone.
      transport.stop();
      await Promise.all(drained);
      await inTime(LAST_SPANS_MS, tracing.stop());
      await replicas.stop();
      await Promise.all([transport.close(), dispatcher.destroy()]);
      await storage.store.close();
      await server?.stop();
    },
    port: () => slack.port(),
    opsPort: () => server?.port() ?? slack.port(),
  };
}
