import { startRedis } from '../support/redis.ts';
import { STATE_KEY, startProcessUpstreams } from '../support/upstreams.ts';
import { type Subject, type SubjectName, startSubject } from './subject.ts';

/** Far longer than Slack waits, because the benchmark measures late acknowledgements. */
const TIMEOUT_MS = 60_000;

/** Fresh emulators for one measurement, with the subject between them. */
export type BenchWorld = Awaited<ReturnType<typeof openBenchWorld>>;

type BenchWorldOptions = {
  /** The folder to write a `.cpuprofile` to. */
  readonly profileDir?: string | undefined;
  /** COMMANDS_PER_MINUTE; by default so high that a single person can type all commands. */
  readonly perMinute?: number;
  /** How many people there are in addition to the default ones. */
  readonly people?: number;
  /** Makes `retainedMb` available, as in `startSubject`. */
  readonly collects?: boolean;
};

/** Opens fresh emulators with a subject between them. */
export async function openBenchWorld(
  name: SubjectName,
  { profileDir, perMinute = 1_000_000, people = 0, collects = false }: BenchWorldOptions = {},
) {
  const upstreams = await startProcessUpstreams({ slack: { others: people, ackLimitMs: TIMEOUT_MS } });
  const { slack, service, folder } = upstreams;
  const redis = name === 'this bot on Redis' ? await startRedis() : undefined;
  const endRedis = () => void redis?.kill();
  process.once('exit', endRedis);
  const environment = {
    ...upstreams.environment,
    STATE_KEY,
    LOG_LEVEL: 'info',
    COMMANDS_PER_MINUTE: String(perMinute),
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  };
  const subjects = [await startSubject(name, { environment, profileDir, folder, collects })];
  const deliver = () => slack.deliverTo(...subjects.map(({ url }) => `${url}/slack/events`));
  deliver();
  return {
    slack,
    service,
    subject: subjects[0] as Subject,
    /** Starts one more process of the same kind on the same Redis; deliveries go to all processes in turn. */
    addReplica: async () => {
      subjects.push(await startSubject(name, { environment, folder }));
      deliver();
    },
    close: async () => {
      await Promise.all(subjects.map((subject) => subject.stop()));
      await Promise.all([upstreams.close(), redis?.close()]);
      process.off('exit', endRedis);
    },
  };
}
