import { pino } from 'pino';
import type { Follow, JobQueue } from '../../src/lookups/queue.ts';
import { type FeatureParts, type Given, featureParts as partsOf } from '../../src/slack/front/context.ts';
import { aStore } from './embedded.ts';
import { type ScriptedAnswer, type ScriptedCall, scriptedSlack } from './scripted-slack.ts';

/** What features are made of, in memory; nobody may use the bot in the channel C0GONE. */
export function featureParts(slack: (call: ScriptedCall) => ScriptedAnswer = () => ({})) {
  const clock = { now: 0 };
  const now = () => clock.now;
  const [outcomes, audited, log]: [string[], object[], string[]] = [[], [], []];
  const store = aStore(now);
  const logger = pino({}, { write: (line) => void log.push(line) });
  const { client, calls, methods } = scriptedSlack(slack);
  const given = {
    slack: { messages: client, identity: async () => ({ user: 'U0BOT', teams: ['T1'] }), checkHost() {} },
    rules: { channels: [], userGroups: [], guests: false, sharedChannels: false },
    store,
    retention: { resultMs: 15 * 60_000, historyMs: 60_000 },
    audit: (entry: object) => void audited.push(entry),
    logger,
    now,
    followQueue: {} as JobQueue<Follow>,
    backgroundReads: { look: async () => undefined },
    dayMs: 24 * 3_600_000,
    notifyAfterMs: 60_000,
    unfurl: 'yes',
    countFollow: (outcome: string) => void outcomes.push(outcome),
  };
  const made = partsOf(given as unknown as Given);
  const mayStillSee = async (_user: string, channel: string) => channel !== 'C0GONE';
  Object.assign(made.access, { mayStillSee });
  const parts: FeatureParts = made;
  return { ...parts, clock, outcomes, audited, log, calls, methods };
}
