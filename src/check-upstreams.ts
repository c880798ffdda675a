import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { isFault } from './core/faults.ts';
import { examineHosts } from './doctor/examine-hosts.ts';
import { operatorStep, plainText } from './doctor/plain-text.ts';
import type { Authentication } from './service/authentication.ts';
import type { HttpTimeouts } from './service/transport.ts';
import { faultSentence } from './slack/messages/words/fault-sentences.ts';
import { DEFAULT_CONTACT } from './slack/messages/words/operator.ts';

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
 * Tries the service's hosts and the login once, so that an operator learns at the start what users would run into.
 * Failures are warnings. It uses the shared session: if that is valid, it does not log in.
 */
export async function checkUpstreams(options: UpstreamCheckOptions): Promise<void> {
  const { config, timeouts, session, logger, now, onUnreachable } = options;
  const { baseUrl, loginUrl } = config.service;
  const found = await examineHosts({ config, timeouts, now });
  for (const { area, what, repair, level } of found) {
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
