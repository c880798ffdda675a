import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../emulators/certificates.ts';
import {
  type DiagnosticsService,
  startDiagnosticsService,
} from '../emulators/diagnostics-service/service.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { DiagnosticsServiceOptions } from '../emulators/diagnostics-service/types.ts';
import { type Slack, startSlack } from '../emulators/slack/slack.ts';
import { environmentFor } from '../support/bot-environment.ts';
import { freePort } from '../support/free-port.ts';
import { type BotProcess, botProcess } from './bot-process.ts';
import { grantedScopes, type Manifest } from './manifest.ts';

/** The bot, as the unchanged process that it is, between its two neighbours. */
export interface Stage {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  readonly bot: BotProcess;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly mode: 'http' | 'socket';
  readonly manifest: Manifest;
  readonly onLine?: (line: string) => void;
  readonly onAnswered?: DiagnosticsServiceOptions['onAnswered'];
}

/** An analysis that never ends is given up sooner than the hour of the configuration's default. */
export const WAIT_LIMIT_MINUTES = 2;

/** Sets everything up; the bot is not started yet, so that listeners miss nothing. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'snapshot-bot-demo-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  const { slack, service, caFile } = await upstreams(directory, options);
  const port = await freePort();
  const workingDirectory = join(directory, 'bot');
  mkdirSync(workingDirectory);
  const bot = botProcess({
    port,
    directory: workingDirectory,
    variables: {
      ...environmentFor(slack, service, options.mode),
      NODE_EXTRA_CA_CERTS: caFile,
      DATA_DIR: join(directory, 'data'),
      WAIT_LIMIT_MINUTES: String(WAIT_LIMIT_MINUTES),
      LOG_LEVEL: 'info',
    },
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
  });
  if (options.mode === 'http') slack.deliverTo(`http://127.0.0.1:${port}/slack/events`);
  return {
    slack,
    service,
    bot,
    async close() {
      await bot.stop();
      await Promise.all([slack.close(), service.close()]);
      removeDirectory();
      process.off('exit', removeDirectory);
    },
  };
}

async function upstreams(directory: string, options: StageOptions) {
  const certificates = await makeCertificates();
  const caFile = join(directory, 'ca.pem');
  writeFileSync(caFile, certificates.caPem);
  const scopes = grantedScopes(options.manifest);
  const [slack, service] = await Promise.all([
    startSlack({ mode: options.mode, ...(scopes === undefined ? {} : { scopes }) }),
    startDiagnosticsService({
      certificates,
      ...(options.onAnswered === undefined ? {} : { onAnswered: options.onAnswered }),
    }),
  ]);
  for (const [id, entry] of Object.entries(demoShelf())) service.shelve(id, entry);
  return { slack, service, caFile };
}
