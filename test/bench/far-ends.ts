import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../emulators/certificates.ts';
import {
  type DiagnosticsService,
  startDiagnosticsService,
} from '../emulators/diagnostics-service/service.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { startSlack } from '../emulators/slack/slack.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import { environmentFor } from '../support/bot-environment.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { type Subject, type SubjectName, startSubject } from './subject.ts';

const STATE_KEY = Buffer.alloc(32, 9).toString('base64');

/** How late an acknowledgement is belongs to what is measured: the emulator does not give up. */
const PATIENCE_MS = 60_000;

/** Both emulators, fresh for one measurement, and the subject between them. */
export type Bench = {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  readonly subject: Subject;
  /** One more process of the same kind, on the same Redis; deliveries take turns. */
  addReplica(): Promise<void>;
  close(): Promise<void>;
};

type BenchOptions = {
  /** A folder that gets a `.cpuprofile`. */
  readonly profileDir?: string | undefined;
  /** One person's share of commands; without it one person can type everything. */
  readonly perMinute?: number;
  /** More people than the usual ones. */
  readonly people?: number;
};

/** Opens fresh emulators with a subject between them. */
export async function openBench(
  name: SubjectName,
  { profileDir, perMinute = 1_000_000, people = 0 }: BenchOptions = {},
): Promise<Bench> {
  const certificates = await makeCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-bench-'));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificates.caPem);
  const service = await startDiagnosticsService({ certificates });
  for (const [id, entry] of Object.entries(demoShelf())) service.shelve(id, entry);
  const slack = await startSlack({ mode: 'http', others: people, ackLimitMs: PATIENCE_MS });
  const redis: TestRedis | undefined = name === 'this bot on Redis' ? await startRedis() : undefined;
  const environment = {
    ...environmentFor(slack, service, 'http'),
    NODE_EXTRA_CA_CERTS: authority,
    STATE_KEY,
    LOG_LEVEL: 'info',
    COMMANDS_PER_MINUTE: String(perMinute),
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  };
  const subjects = [await startSubject(name, { environment, profileDir })];
  const deliver = () => slack.deliverTo(...subjects.map(({ url }) => `${url}/slack/events`));
  deliver();
  return {
    slack,
    service,
    subject: subjects[0] as Subject,
    addReplica: async () => {
      subjects.push(await startSubject(name, { environment }));
      deliver();
    },
    close: async () => {
      await Promise.all(subjects.map((subject) => subject.stop()));
      await Promise.all([slack.close(), service.close(), redis?.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
