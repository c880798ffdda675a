import type { Config } from '../config.ts';
import { erase } from '../lookups/erasure.ts';
import { boltLogger } from '../ops/logging.ts';
import type { proxyAgent } from '../service/transport.ts';
import { inert } from '../slack/block-kit/inert-text.ts';
import { createSlackApp, type SlackApp } from '../slack/connection/bolt-app.ts';
import { createSlackSide, type SlackSide } from '../slack/create-slack.ts';
import type { Erasure } from '../slack/front/context.ts';
import type { Storage } from '../storage/backend/storage.ts';
import type { Timing } from '../timing.ts';
import { USER_AGENT } from '../version.ts';
import type { Base } from './base.ts';

/** Makes the Slack app, over HTTP or Socket Mode, with its metrics. */
export function createConnection(
  { config, logger, timing, observation }: Base,
  dispatcher: ReturnType<typeof proxyAgent>,
): SlackApp {
  const { metrics, slackPortRoutes } = observation;
  return createSlackApp({
    slack: config.slack,
    port: config.port,
    shutdownDelayMs: timing.shutdownDelayMs,
    routes: slackPortRoutes,
    logger: boltLogger(logger),
    dispatcher,
    userAgent: USER_AGENT,
    onAnswer: (status) => metrics.countSlackAnswer(status),
    onAcknowledged: (kind, ms) => metrics.countAcknowledgement(kind, ms),
  });
}

/** Makes the delivery to Slack, and what its listeners need. */
export function createSlack(
  { config, store, timing, observation, logger, now, audit }: Base,
  slack: SlackApp,
  storage: Storage,
  dispatcher: ReturnType<typeof proxyAgent>,
): SlackSide {
  return createSlackSide({
    audit,
    commandsPerMinute: config.commandsPerMinute,
    slack,
    store,
    dispatcher,
    rules: config.access,
    secret: config.slack.botToken,
    notifyAfterMs: timing.notifyAfterMs,
    retention: config.retention,
    erasure: erasureIn(storage, config, timing),
    reminderQueue: storage.reminders,
    dayMs: timing.dayMs,
    countReminder: (outcome) => observation.metrics.countReminder(outcome),
    operator: { contact: inert(config.contact), loginUrl: config.service.loginUrl },
    logger,
    now,
    onDelivery: (kind, outcome) => observation.metrics.countDelivery(kind, outcome),
    onBug: (reference) => observation.events.noteFault({ at: now(), code: 'bug', reference }),
    onUndeliverable: () => observation.metrics.countUndeliverable(),
  });
}

function erasureIn(storage: Storage, { retention }: Config, { longestStepMs }: Timing): Erasure {
  return {
    ofUser: async (id) => void (await erase({ kind: 'user', id }, storage, retention)),
    ofEverything: async () => {
      await storage.store.clear();
      // A step that ran during the deletion may have stored its result since.
      setTimeout(() => storage.store.clear().catch(() => {}), longestStepMs).unref();
    },
  };
}
