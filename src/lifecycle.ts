import type { Config } from './config.ts';
import { portUnusable } from './core/errors.ts';
import { inTime } from './core/time.ts';
import type { Lookups } from './lookups/lookups.ts';
import type { OpsServer } from './ops/health.ts';
import type { Tracing } from './ops/otel-tracing.ts';
import type { Replicas } from './ops/replicas.ts';
import type { proxyAgent, Transport } from './service/transport.ts';
import type { Feature } from './slack/front/feature.ts';
import type { SlackApp } from './slack/front/slack-app.ts';
import type { Storage } from './storage/backend/storage.ts';

/** How long running steps may take at a stop; later ones are stored for the next start. */
const DRAIN_MS = 6_000;
/** How long a collector may take to accept the last spans. All of a stop must be over within ten seconds. */
const LAST_SPANS_MS = 1_500;

type Parts = {
  readonly config: Config;
  readonly slack: SlackApp;
  readonly lookups: Lookups;
  readonly features: readonly Pick<Feature, 'start'>[];
  readonly storage: Storage;
  readonly transport: Transport;
  readonly dispatcher: ReturnType<typeof proxyAgent>;
  readonly observation: { readonly server: OpsServer | undefined };
  readonly tracing: Tracing;
  readonly replicas: Replicas;
};

/** Starts the parts in the order in which they need each other, and stops them in the opposite one. */
export function lifecycle(parts: Parts) {
  const { config, slack, lookups, features, storage, transport, dispatcher, tracing, replicas } = parts;
  const { server } = parts.observation;
  const { opsPort, port } = config;
  return {
    /** Resumes what was open, then listens. Throws when Slack refuses the token or the port is taken. */
    start: async (): Promise<void> => {
      await server?.start().catch((error: unknown) => {
        throw portUnusable(opsPort === undefined ? 'PORT' : 'OPS_PORT', opsPort ?? port, error);
      });
      replicas.start();
      await lookups.start();
      for (const feature of features) await feature.start?.();
      await slack.start();
    },
    /** Takes no more work, stores what is open, and closes everything. */
    stop: async (): Promise<void> => {
      await slack.stop();
      const drained = storage.jobs.stop(DRAIN_MS);
      // The queue begins no step any more, and no running one waits for a service that may be gone.
      transport.stop();
      await drained;
      await inTime(LAST_SPANS_MS, tracing.stop());
      await replicas.stop();
      await Promise.all([transport.close(), dispatcher.destroy()]);
      await storage.store.close();
      await server?.stop();
    },
    port: () => slack.port(),
    /** Where `/healthz`, `/readyz` and `/metrics` are. */
    opsPort: () => server?.port() ?? slack.port(),
  };
}
