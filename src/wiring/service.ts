import { Polls } from '../lookups/polls.ts';
import type { Authentication } from '../service/authentication.ts';
import { DiagnosticsClient } from '../service/client.ts';
import { type OnLogin, SharedSession } from '../service/session.ts';
import { Transport } from '../service/transport.ts';
import { USER_AGENT } from '../version.ts';
import type { Base } from './base.ts';

/** Makes the connections to the diagnostics service and its login servers, with their metrics. */
export function createTransport({ config, timing, observation }: Base): Transport {
  const { metrics, upstreams } = observation;
  const transport = new Transport({
    proxies: config.proxies,
    timeouts: timing.http,
    concurrency: config.serviceConcurrency,
    onAnswer: (upstream, status) => {
      metrics.countAnswer(upstream, status);
      upstreams.noteAnswer(upstream, status);
    },
  });
  metrics.watchWaitingRequests(() => transport.waiting);
  return transport;
}

/** Makes the session that all requests share. */
export function createSession(
  { config, store, timing, observation, now }: Base,
  transport: Transport,
): Authentication {
  const settings = { ...config.service, userAgent: USER_AGENT };
  const { retry, coolDownMs } = timing;
  const onLogin: OnLogin = (outcome) => {
    observation.metrics.countLogin(outcome);
    observation.events.noteLogin(outcome, now());
  };
  return new SharedSession({ transport, settings, store, retry, coolDownMs, now, onLogin });
}

/** Makes the polls of the service. */
export function createPolls(
  { config, store, timing, observation, now }: Base,
  transport: Transport,
  authentication: Authentication,
): Polls {
  const settings = { ...config.service, userAgent: USER_AGENT };
  const { retry, intervalMs, answerMs, coolDownMs } = timing;
  const source = new DiagnosticsClient({
    ...{ transport, authentication, leases: store.leases, settings },
    ...{ retry, coolDownMs, now },
  });
  const onOutcome = (outcome: string) => observation.metrics.countPoll(outcome);
  return new Polls({ source, store, intervalMs, answerMs, retention: config.retention, now, onOutcome });
}

/** Tries the service's hosts and the login once. What this needs is loaded now: the bot listens already. */
export async function checkService(
  { config, logger, observation, now }: Base,
  session: Authentication,
): Promise<void> {
  const onUnreachable = () => observation.upstreams.noteAnswer('diagnostics service', 'none');
  const { examineAtStart } = await import('../doctor/examine.ts');
  return examineAtStart(config, session, { logger, now, onUnreachable });
}
