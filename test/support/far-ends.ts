import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import type { Certificates } from '../emulators/certificates.ts';
import {
  type DiagnosticsService,
  startDiagnosticsService,
} from '../emulators/diagnostics-service/service.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import { startSlack } from '../emulators/slack/slack.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import { environmentFor } from './bot-environment.ts';
import { BotProcess } from './bot-process.ts';
import { type RedisOptions, startRedis, type TestRedis } from './redis.ts';
import { trustedCertificates } from './trusted-certificates.ts';

/** The interval that processes of the bot and the emulator are given alike. */
export const INTERVAL_MS = 400;
const STATE_KEY = Buffer.alloc(32, 7).toString('base64');

/** Both neighbours of the bot, and what a process of it needs to find them. */
export type FarEnds = {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  readonly certificates: Certificates;
  /** A folder of the test's own. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A process of the bot that is not started; it is gone when the test is over. */
  bot(changes?: Readonly<Record<string, string>>, entry?: 'shipped'): BotProcess;
  /** Starts a process of the bot; it is gone when the test is over. Deliveries go to all that were started. */
  start(changes?: Readonly<Record<string, string>>, entry?: 'shipped'): Promise<BotProcess>;
  /** Starts a Redis, which is gone when the test is over. */
  redis(options?: RedisOptions): Promise<TestRedis>;
  /** Slack delivers to these from now on, as a load balancer does that knows who is well. */
  deliverTo(...processes: readonly BotProcess[]): void;
};

/** A test with both neighbours; whatever it is about, nobody may breach what they demand. */
export const test = base.extend<{ ends: FarEnds }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture depends on.
  ends: async ({}, use) => {
    const closing: (() => Promise<unknown>)[] = [];
    const ends = await openFarEnds(closing);
    await use(ends);
    for (const close of closing.reverse()) await close();
    expect(ends.service.records.breaches).toEqual([]);
    expect(ends.slack.records.breaches).toEqual([]);
  },
});

/** `closing` is given what has to be closed, the first one last. */
async function openFarEnds(closing: (() => Promise<unknown>)[]): Promise<FarEnds> {
  const certificates = await trustedCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
  closing.push(async () => rmSync(folder, { recursive: true, force: true }));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificates.caPem);
  const service = await startDiagnosticsService({ certificates, waitMs: INTERVAL_MS });
  for (const [id, entry] of Object.entries(demoShelf())) service.shelve(id, entry);
  const slack = await startSlack({ mode: 'http' });
  closing.push(() => Promise.all([slack.close(), service.close()]));
  const paths = { NODE_EXTRA_CA_CERTS: authority, DATA_DIR: join(folder, 'data') };
  const environment = { ...environmentFor(slack, service, 'http'), ...paths, STATE_KEY };
  const started: BotProcess[] = [];
  const deliverTo = (...processes: readonly BotProcess[]) =>
    slack.deliverTo(...processes.map(({ address }) => `${address}/slack/events`));
  const bot: FarEnds['bot'] = (changes = {}, entry) => {
    const process = new BotProcess({ ...environment, ...changes }, entry ?? INTERVAL_MS);
    closing.push(() => process.end('SIGKILL'));
    return process;
  };
  return {
    slack,
    service,
    certificates,
    folder,
    environment,
    deliverTo,
    bot,
    start: async (changes, entry) => {
      const process = bot(changes, entry);
      await process.start();
      slack.runsIn(() => process.pid);
      started.push(process);
      deliverTo(...started.filter(({ isUp }) => isUp));
      return process;
    },
    redis: async (options) => {
      const redis = await startRedis(options);
      closing.push(() => redis.close());
      return redis;
    },
  };
}
