import { Polls } from '../lookups/polls.ts';
import type { Authentication } from '../service/authentication.ts';
import { DiagnosticsClient } from '../service/client.ts';
import { SharedSession } from '../service/session.ts';
import { SharedState } from '../service/shared-state.ts';
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

/** Makes the session that all requests share, and the polls of the service. */
export function createService(
  { config, store, timing, observation, now }: Base,
  transport: Transport,
): { readonly session: Authentication; readonly polls: Polls } {
  const { retention } = config;
  const { retry, intervalMs, answerMs, coolDownMs } = timing;
  const settings = { ...config.service, userAgent: USER_AGENT };
  const state = new SharedState(store.namespace('service'), store.mutex, now);
  const parts = { transport, settings, store, state, retry, coolDownMs, now };
  const session = new SharedSession(parts, (outcome) => {
    observation.metrics.countLogin(outcome);
    observation.events.noteLogin(outcome, now());
  });
  const source = new DiagnosticsClient(parts, session);
  const onOutcome = (outcome: string) => observation.metrics.countPoll(outcome);
  const polls = new Polls({ source, store, intervalMs, answerMs, retention, now, onOutcome });
  return { session, polls };
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
