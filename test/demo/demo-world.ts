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

/** Options of `openDemoWorld`. */
export interface DemoWorldOptions {
  readonly mode?: 'http' | 'socket';
  readonly onLine?: (line: string) => void;
  readonly onDeath?: (death: BotDied) => void;
}

/** Much shorter than the default of an hour, so that a visitor sees how a wait ends. */
export const WAIT_LIMIT_MINUTES = 2;

/** The known exploited vulnerabilities of the demo, each with its date. */
const EXPLOITED = { 'CVE-2026-10000': '2026-11-12', 'CVE-2026-10128': '2025-05-12' };

/** The variables that every process needs. All others are left out, because they could configure the bot. */
const SURROUNDINGS = new Set(['HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ']);

/** Starts the emulators, and prepares the bot, which the caller starts. */
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
  // A separate directory, so that the bot does not read a `.env` file of the project.
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
  // Ctrl-C in the terminal must reach only the demo, which then stops the bot.
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
