import type { Config } from '../config.ts';
import type { SnapshotId } from '../core/snapshot-id.ts';
import { type HttpTimeouts, proxyAgent } from '../service/transport.ts';
import type { StorageSettings } from '../storage/backend/storage.ts';
import { checkAudit } from './audit-check.ts';
import { checkEmbedded, checkStateKeys } from './embedded-checks.ts';
import { examineHosts } from './examine-hosts.ts';
import type { Finding } from './finding.ts';
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
      checkStorage(config.storage, timeoutMs),
      checkAudit(config.auditFile),
      examineHosts(options),
      checkService(options),
    ]);
    return found.flat();
  } finally {
    await dispatcher.destroy();
  }
}

function checkStorage(storage: StorageSettings, timeoutMs: number): Promise<Finding[]> | Finding[] {
  switch (storage.kind) {
    case 'sqlite':
      return [...checkEmbedded(storage.dataDir), ...checkStateKeys(storage)];
    case 'redis':
      return checkRedis(storage.url, timeoutMs);
    default:
      return storage satisfies never;
  }
}
