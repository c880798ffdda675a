import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOR_TESTS } from '../support/bot-environment.ts';
import { type BotDied, BotProcess } from '../support/bot-process.ts';
import { freePort } from '../support/free-port.ts';
import { catalogueOf } from '../support/kev-file.ts';
import { startProcessUpstreams } from '../support/upstreams.ts';
import { grantedScopes, readManifest } from './manifest.ts';
import { INTAKE } from './page-target.ts';

/** The shipped bot in a process of its own, between the two emulators. */
export type DemoWorld = Awaited<ReturnType<typeof openDemoWorld>>;

/** How the demo is started. */
export interface DemoWorldOptions {
  readonly mode?: 'http' | 'socket';
  readonly onLine?: (line: string) => void;
  readonly onDeath?: (death: BotDied) => void;
}

/** An analysis that never ends is given up sooner than the hour of the configuration's default. */
export const WAIT_LIMIT_MINUTES = 2;

/** What is exploited in the demo, and since when. */
const EXPLOITED = { 'CVE-2026-10000': '2026-11-12', 'CVE-2026-10128': '2025-05-12' };

/** What every process needs. The user's other variables are left out, because they could configure the bot. */
const SURROUNDINGS = new Set(['HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ']);

/** Starts the emulators and makes the bot, which the caller starts. */
export async function openDemoWorld({ mode = 'http', ...listeners }: DemoWorldOptions = {}) {
  const manifest = readManifest();
  const upstreams = await startProcessUpstreams({
    slack: {
      mode,
      domains: manifest.features.unfurl_domains,
      scopes: grantedScopes(manifest),
    },
  });
  const { slack, service, folder, environment } = upstreams;
  // A directory of its own: a `.env` file of the project must not reach this bot.
  const cwd = join(folder, 'bot');
  mkdirSync(cwd);
  const kevFile = join(folder, 'known-exploited.json');
  writeFileSync(kevFile, catalogueOf(EXPLOITED));
  const variables = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => SURROUNDINGS.has(name))),
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in FOR_TESTS))),
    PORT: String(await freePort()),
    WAIT_LIMIT_MINUTES: String(WAIT_LIMIT_MINUTES),
    LOG_LEVEL: 'info',
    KEV_FILE: kevFile,
    ALLOWED_APPS: INTAKE.appId,
    TICKET_URL: 'https://tickets.example.com/new?title={title}&body={text}',
  };
  // Ctrl-C in the terminal is for the demo, which stops the bot itself.
  const detached = process.platform !== 'win32';
  const bot = new BotProcess(variables, 'shipped', { cwd, detached, ...listeners });
  bot.environment.SLACK_API_URL = slack.runsIn(() => bot.pid);
  if (mode === 'http') slack.deliverTo(`${bot.address}/slack/events`);
  return {
    slack,
    service,
    bot,
    manifest,
    close: async () => {
      await bot.end('SIGTERM');
      await upstreams.close();
    },
  };
}
