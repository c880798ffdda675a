import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import type { DiagnosticsServiceOptions } from '../emulators/diagnostics-service/types.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import { FOR_TESTS } from '../support/bot-environment.ts';
import { freePort } from '../support/free-port.ts';
import { startProcessUpstreams } from '../support/upstreams.ts';
import { type BotProcess, botProcess } from './bot-process.ts';
import { grantedScopes, type Manifest } from './manifest.ts';

/** The shipped bot in a process of its own, between the two emulators. */
export interface DemoWorld {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  readonly bot: BotProcess;
  close(): Promise<void>;
}

/** How the demo is started. */
export interface DemoWorldOptions {
  readonly mode: 'http' | 'socket';
  readonly manifest: Manifest;
  /** `UNFURL` of the bot; with `work-object` the emulator has Work Objects switched on. */
  readonly unfurl?: string | undefined;
  readonly onLine?: (line: string) => void;
  readonly onAnswered?: DiagnosticsServiceOptions['onAnswered'];
}

/** An analysis that never ends is given up sooner than the hour of the configuration's default. */
export const WAIT_LIMIT_MINUTES = 2;

/** Starts the emulators and makes the bot, which the caller starts when its listeners are in place. */
export async function openDemoWorld({
  mode,
  manifest,
  unfurl = '',
  onLine,
  onAnswered,
}: DemoWorldOptions): Promise<DemoWorld> {
  const upstreams = await startProcessUpstreams({
    slack: {
      mode,
      domains: manifest.features.unfurl_domains,
      hasWorkObjects: unfurl === 'work-object',
      scopes: grantedScopes(manifest),
    },
    service: { ...(onAnswered && { onAnswered }) },
  });
  const { slack, service, folder, environment } = upstreams;
  const directory = join(folder, 'bot');
  mkdirSync(directory);
  const port = await freePort();
  const shipped = Object.entries(environment).filter(([name]) => !(name in FOR_TESTS));
  const variables = {
    ...Object.fromEntries(shipped),
    WAIT_LIMIT_MINUTES: String(WAIT_LIMIT_MINUTES),
    LOG_LEVEL: 'info',
    ...(unfurl && { UNFURL: unfurl }),
  };
  const bot = botProcess({ port, directory, variables, ...(onLine && { onLine }) });
  slack.runsIn(() => bot.pid);
  if (mode === 'http') slack.deliverTo(`http://127.0.0.1:${port}/slack/events`);
  return {
    slack,
    service,
    bot,
    close: async () => {
      await bot.stop();
      await upstreams.close();
    },
  };
}
