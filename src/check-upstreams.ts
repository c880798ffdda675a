import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { isFault } from './core/faults.ts';
import { checkSpace } from './doctor/embedded-checks.ts';
import { examineHosts } from './doctor/examine-hosts.ts';
import type { Finding } from './doctor/finding.ts';
import { operatorStep, plainText } from './doctor/plain-text.ts';
import { checkRedis } from './doctor/redis-checks.ts';
import type { Authentication } from './service/authentication.ts';
import type { HttpTimeouts } from './service/transport.ts';
import { faultSentence } from './slack/answer/words/fault-sentences.ts';
import { DEFAULT_CONTACT } from './slack/answer/words/operator.ts';
import type { StorageSettings } from './storage/backend/storage.ts';

type UpstreamCheckOptions = {
  readonly config: Config;
  readonly timeouts: HttpTimeouts;
  readonly session: Authentication;
  readonly logger: Logger;
  readonly now: () => number;
  /** Called if the service's own host cannot be reached. */
  readonly onUnreachable: () => void;
};

/**
 * Checks the store and the service's hosts as the doctor does, and tries the login once, so that an operator learns at
 * the start what users would run into. Failures are warnings. It uses the shared session: if that is valid, it does not log in.
 */
export async function checkUpstreams(options: UpstreamCheckOptions): Promise<void> {
  const { config, timeouts, session, logger, now, onUnreachable } = options;
  const { baseUrl, loginUrl } = config.service;
  const found = await Promise.all([
    checkStore(config.storage, timeouts),
    examineHosts({ config, timeouts, now }),
  ]);
  for (const { area, what, repair, level } of found.flat()) {
    if (level === 'ok') continue;
    logger.warn({ setting: area, repair }, what);
    if (level === 'failure' && area === 'DIAGNOSTICS_BASE_URL') onUnreachable();
  }
  try {
    await session.authenticate(new URL(baseUrl));
    logger.info('the service accepts the account');
  } catch (error) {
    if (!isFault(error)) throw error;
    const { what, next } = faultSentence(error, {
      snapshotId: undefined,
      operator: { contact: DEFAULT_CONTACT, loginUrl },
    });
    logger.warn({ fault: error.code, repair: operatorStep(next) }, plainText(what));
  }
}

/** Of the embedded file only its space: the bot has opened it, and to read it here would end its lock. */
async function checkStore(storage: StorageSettings, timeouts: HttpTimeouts): Promise<Finding[]> {
  return storage.kind === 'redis'
    ? checkRedis(storage.url, timeouts.connectMs)
    : [checkSpace(storage.dataDir)];
}
