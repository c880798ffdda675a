import { pino } from 'pino';
import { DeviceHistory } from '../../src/lookups/device-history.ts';
import type { JobQueue, Reminder } from '../../src/lookups/queue.ts';
import type { WatchJob } from '../../src/lookups/watch.ts';
import { ownersOf } from '../../src/slack/delivery/owners.ts';
import { Poster } from '../../src/slack/delivery/poster.ts';
import { RateLimitedQueue } from '../../src/slack/delivery/rate-limited-queue.ts';
import { featuresOf } from '../../src/slack/features/index.ts';
import type { FeatureParts } from '../../src/slack/front/feature.ts';
import { aStore } from './embedded.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from './scripted-slack.ts';

const KEPT_MS = 60_000;

/** What features are made of, in memory; nobody may use the bot in the channel C0GONE. */
export function featureParts(
  slack: (call: ScriptedCall) => ScriptedAnswer = () => ({}),
  queue: Partial<JobQueue<Reminder>> = {},
  watching: Partial<Pick<FeatureParts, 'watchQueue' | 'backgroundReads'>> = {},
) {
  const clock = { now: 0 };
  const now = () => clock.now;
  const [outcomes, audited, log]: [string[], object[], string[]] = [[], [], []];
  const store = aStore(now);
  const logger = pino({}, { write: (line) => void log.push(line) });
  const { client, calls, methods } = scriptedSlack(slack);
  const onRefusedContent = () => {};
  const parts: FeatureParts = {
    store,
    retention: { resultMs: 15 * 60_000, historyMs: KEPT_MS },
    history: new DeviceHistory({
      namespace: store.namespace('device-reads'),
      historyMs: KEPT_MS,
      workspace: async () => 'T1',
      onError: (error) => logger.error(error),
    }),
    access: { mayStillSee: async (_user: string, channel: string) => channel !== 'C0GONE' },
    poster: new Poster({ client, rateLimitedQueue: new RateLimitedQueue(), onRefusedContent }),
    owners: ownersOf(store, KEPT_MS),
    audit: (entry) => void audited.push(entry),
    logger,
    now,
    reminderQueue: queue as JobQueue<Reminder>,
    watchQueue: {} as JobQueue<WatchJob>,
    backgroundReads: { look: async () => undefined },
    dayMs: 24 * 3_600_000,
    notifyAfterMs: 60_000,
    countReminder: (outcome) => void outcomes.push(outcome),
    unfurl: 'yes',
    countWatch: (outcome) => void outcomes.push(outcome),
    ...watching,
  };
  return { ...parts, clock, store, outcomes, audited, log, client, calls, methods };
}

/** Every entry of the menu of a result, and behind its "More…". */
export const MENU = featuresOf(featureParts()).features.flatMap(({ menu = [] }) => menu);
