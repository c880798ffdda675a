import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { SnapshotId } from '../core/diagnostics.ts';
import { isFault } from '../core/faults.ts';
import type { SharedSession } from '../service/session.ts';
import { type Finding, faultFound } from './finding.ts';
import { checkCatalogue, checkService } from './service.ts';
import { checkSlack } from './slack.ts';
import { checkRedis, checkStorage } from './storage.ts';

/** Checks everything that the bot needs. Logs in once; with a snapshot, requests that once. Does not throw for what it finds. */
export async function examine(config: Config, snapshotId?: SnapshotId): Promise<Finding[]> {
  const { storage } = config;
  const checks = [
    checkSlack(config),
    checkStorage(storage),
    checkService(config, snapshotId),
    checkCatalogue(config),
  ];
  return (await Promise.all(checks)).flat();
}

/**
 * Looks at what a Redis says of itself, and logs in, so that an operator learns at the start what users would run into: what
 * fails is a warning in the log. It uses the shared session: if that is valid, it does not log in.
 */
export async function examineAtStart(
  { storage, service }: Pick<Config, 'storage' | 'service'>,
  session: Pick<SharedSession, 'authenticate'>,
  logger: Logger,
): Promise<void> {
  const found = storage.kind === 'redis' ? await checkRedis(storage.url) : [];
  for (const { area, what, repair } of found) logger.warn({ setting: area, repair }, what);
  try {
    await session.authenticate(new URL(service.baseUrl));
    logger.info('the service accepts the account');
  } catch (error) {
    if (!isFault(error)) throw error;
    const { what, repair } = faultFound('login', error, service.loginUrl);
    logger.warn({ fault: error.code, repair }, what);
  }
}
