import type { StorageContext } from './storage.ts';

/** Called with a failed step or an unreadable job, and without an id for errors of the queue itself. */
type OnQueueError = (error: unknown, lookupId: string | undefined) => void;

/** Reports the errors of a queue in the log, each with a message of its own. */
export function reportQueue({ logger, onRetry }: StorageContext): OnQueueError {
  const log = logger.child({ part: 'queue' });
  return (error, lookup) => {
    if (lookup === undefined) return log.warn({ err: error }, 'the queue reports an error');
    onRetry?.();
    log.warn({ err: error, lookup }, 'retrying lookup');
  };
}
