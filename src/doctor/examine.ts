import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isFault } from '../core/faults.ts';
import type { SnapshotId } from '../core/snapshot-id.ts';
import type { Authentication } from '../service/parts.ts';
import { HTTP_TIMEOUTS, proxyAgent } from '../service/transport.ts';
import type { StorageSettings } from '../storage/backend/storage.ts';
import { checkEmbedded, checkSpace, checkStateKeys } from './embedded.ts';
import type { Finding } from './finding.ts';
import { checkHosts } from './hosts.ts';
import { checkAudit, checkPorts } from './local.ts';
import { explainFault } from './plain-text.ts';
import { checkRedis } from './redis.ts';
import { checkService } from './service.ts';
import { checkSlack } from './slack.ts';

const { connectMs: TIMEOUT_MS } = HTTP_TIMEOUTS;

/**
 * Checks everything that the bot needs. Logs in at most once and changes nothing; with a snapshot, requests that once.
 * Does not throw for what it finds.
 */
export async function examine(
  config: Config,
  now: () => number,
  snapshotId?: SnapshotId,
): Promise<Finding[]> {
  const dispatcher = proxyAgent(config.proxies);
  try {
    const found = await Promise.all([
      checkSlack(config, dispatcher, TIMEOUT_MS),
      checkPorts(config),
      checkStorage(config.storage),
      checkAudit(config.auditFile),
      checkHosts(config, TIMEOUT_MS, now),
      checkService(config, now, snapshotId),
    ]);
    return found.flat();
  } finally {
    await dispatcher.destroy();
  }
}

function checkStorage(storage: StorageSettings): Promise<Finding[]> | Finding[] {
  switch (storage.kind) {
    case 'sqlite':
      return [...checkEmbedded(storage.dataDir), ...checkStateKeys(storage)];
    case 'redis':
      return checkRedis(storage.url, TIMEOUT_MS);
    default:
      return storage satisfies never;
  }
}

/**
 * Checks the store and the service's hosts, and tries the login once, so that an operator learns at the start what users
 * would run into. What fails is a warning in the log; `onUnreachable` is called if the service's own host is away. It
 * uses the shared session: if that is valid, it does not log in.
 */
export async function examineAtStart(
  { storage, service, proxies }: Pick<Config, 'storage' | 'service' | 'proxies'>,
  session: Authentication,
  { logger, now, onUnreachable }: { logger: Logger; now: () => number; onUnreachable: () => void },
): Promise<void> {
  const found = await Promise.all([
    // Of the embedded file only its space: the bot has opened it, and to read it here would end its lock.
    storage.kind === 'redis' ? checkRedis(storage.url, TIMEOUT_MS) : [checkSpace(storage.dataDir)],
    checkHosts({ service, proxies }, TIMEOUT_MS, now),
  ]);
  for (const { area, what, repair, level } of found.flat()) {
    if (level === 'ok') continue;
    logger.warn({ setting: area, repair }, what);
    if (level === 'failure' && area === 'DIAGNOSTICS_BASE_URL') onUnreachable();
  }
  try {
    await session.authenticate(new URL(service.baseUrl));
    logger.info('the service accepts the account');
  } catch (error) {
    if (!isFault(error)) throw error;
    const { what, repair } = explainFault(error, service.loginUrl);
    logger.warn({ fault: error.code, repair }, what);
  }
}
