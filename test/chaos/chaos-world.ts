import { BotProcess } from '../support/bot-process.ts';
import { startRedis } from '../support/redis.ts';
import { STATE_KEY, startProcessUpstreams } from '../support/upstreams.ts';

/** The bot's interval after a 202. The emulator of the service records an earlier request as a breach. */
const INTERVAL_MS = 400;
const REPLICAS = 3;
/** The bot's length of a day: a run sees several days, and an hour is still long enough for a process to die in it. */
const DAY_MS = 8_000;

export type Kind = 'embedded' | 'redis';

/** Both emulators and the replicas between them, with their Redis. */
export type ChaosWorld = Awaited<ReturnType<typeof openChaosWorld>>;

/** The emulators, with their records. */
export type Recorders = Pick<ChaosWorld, 'slack' | 'service'> &
  Partial<Pick<ChaosWorld, 'replicas' | 'redisAway'>>;

/**
 * Starts both emulators and the bot: one process with the embedded store, or three replicas that share a Redis.
 * `people`: how many people there are besides the usual ones.
 */
export async function openChaosWorld(kind: Kind, people = 0) {
  const upstreams = await startProcessUpstreams({
    service: { waitMs: INTERVAL_MS },
    slack: { others: people },
  });
  const { slack, service } = upstreams;
  const redis = kind === 'redis' ? await startRedis() : undefined;
  const environment = {
    ...upstreams.environment,
    STATE_KEY,
    LOG_LEVEL: 'warn',
    // Stored results expire early, so that a search of all devices has to read them again.
    RESULT_MINUTES: '0.1',
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  };
  const count = kind === 'redis' ? REPLICAS : 1;
  const replicas = Array.from(
    { length: count },
    () => new BotProcess(environment, INTERVAL_MS, { dayMs: DAY_MS }),
  );
  for (const replica of replicas) replica.environment.SLACK_API_URL = slack.runsIn(() => replica.pid);
  await Promise.all(replicas.map((replica) => replica.start()));
  slack.deliverTo(...replicas.map(({ address }) => `${address}/slack/events`));
  return {
    slack,
    service,
    replicas,
    redis,
    /** The periods in which Redis did not answer. Epoch milliseconds. */
    redisAway: [] as { readonly from: number; readonly until: number }[],
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
      await Promise.all([upstreams.close(), redis?.close()]);
    },
  };
}
