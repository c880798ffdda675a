import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificates } from '../emulators/certificates.ts';
import {
  type DiagnosticsService,
  startDiagnosticsService,
} from '../emulators/diagnostics-service/service.ts';
import { startSlack } from '../emulators/slack/slack.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import { environmentFor } from '../support/bot-environment.ts';
import { BotProcess } from '../support/bot-process.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

/** Bot and service are given the same interval; it is what the records are judged by. */
const INTERVAL_MS = 400;
const STATE_KEY = Buffer.alloc(32, 5).toString('base64');
const REPLICAS = 3;

export type Kind = 'embedded' | 'redis';

/** Everything that a run of the chaos test plays with. */
export type World = {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  readonly replicas: readonly BotProcess[];
  readonly redis: TestRedis | undefined;
  close(): Promise<void>;
};

/** One embedded process, or replicas around a Redis, between the emulators. */
export async function openWorld(kind: Kind, certificates: Certificates): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-chaos-'));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificates.caPem);
  const service = await startDiagnosticsService({ certificates, waitMs: INTERVAL_MS });
  const slack = await startSlack({ mode: 'http' });
  const redis = kind === 'redis' ? await startRedis() : undefined;
  const environment = {
    ...environmentFor(slack, service, 'http'),
    NODE_EXTRA_CA_CERTS: authority,
    DATA_DIR: join(folder, 'data'),
    STATE_KEY,
    LOG_LEVEL: 'warn',
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  };
  const count = kind === 'redis' ? REPLICAS : 1;
  const replicas = Array.from({ length: count }, () => new BotProcess(environment, INTERVAL_MS));
  await Promise.all(replicas.map((replica) => replica.start()));
  slack.deliverTo(...replicas.map(({ address }) => `${address}/slack/events`));
  return {
    slack,
    service,
    replicas,
    redis,
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
      await Promise.all([slack.close(), service.close(), redis?.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
