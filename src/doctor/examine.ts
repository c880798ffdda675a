import type { Config } from '../config.ts';
import type { SnapshotId } from '../core/snapshot-id.ts';
import { type HttpTimeouts, proxyAgent } from '../service/transport.ts';
import { checkEmbedded } from './embedded-checks.ts';
import type { Finding } from './finding.ts';
import { checkHost } from './hosts.ts';
import { checkPort } from './port-check.ts';
import { checkRedis } from './redis-checks.ts';
import { checkService } from './service-checks.ts';
import { checkSlack } from './slack-checks.ts';

type ExamineOptions = {
  readonly config: Config;
  readonly timeouts: HttpTimeouts;
  readonly userAgent: string;
  /** A snapshot to request once; without it the doctor only logs in. */
  readonly snapshotId: SnapshotId | undefined;
  readonly now: () => number;
};

/** Checks everything that the bot needs. Logs in at most once and changes nothing. Does not throw for what it finds. */
export async function examine(options: ExamineOptions): Promise<Finding[]> {
  const { config, timeouts } = options;
  const { connectMs: timeoutMs } = timeouts;
  const dispatcher = proxyAgent(config.proxies, timeouts);
  const usesGroups = config.access.userGroups.length > 0;
  try {
    const found = await Promise.all([
      checkSlack({ slack: config.slack, dispatcher, timeoutMs, usesGroups }),
      checkPort(config),
      config.storage.redisUrl === undefined
        ? checkEmbedded(config.storage.dataDir)
        : checkRedis(config.storage.redisUrl, timeoutMs),
      examineHosts(options),
      checkService(options),
    ]);
    return found.flat();
  } finally {
    await dispatcher.destroy();
  }
}

/** Checks the hosts of the service, each once, even if several settings name it. Sends no request. */
export async function examineHosts({
  config,
  timeouts,
  now,
}: Pick<ExamineOptions, 'config' | 'timeouts' | 'now'>): Promise<Finding[]> {
  const { baseUrl, authUrl, loginUrl } = config.service;
  const named = new Map<string, { setting: string; url: URL }>();
  for (const [setting, address] of [
    ['DIAGNOSTICS_BASE_URL', baseUrl],
    ['DIAGNOSTICS_AUTH_URL', authUrl],
    ['DIAGNOSTICS_LOGIN_URL', loginUrl],
  ] as const) {
    const url = new URL(address);
    if (!named.has(url.host)) named.set(url.host, { setting, url });
  }
  const { proxies } = config;
  const timeoutMs = timeouts.connectMs;
  return Promise.all([...named.values()].map((host) => checkHost({ ...host, proxies, timeoutMs, now })));
}
