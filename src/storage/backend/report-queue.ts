import type { StorageContext } from './storage.ts';

/** Hears of a step of a lookup that failed, of a job that can't be read, and without an id of the queue's own trouble. */
type OnQueueError = (error: unknown, lookupId: string | undefined) => void;

/** Says in the log what goes wrong in a queue, under its own name. */
export function reportQueue({ logger, onRetry }: StorageContext): OnQueueError {
  const log = logger.child({ part: 'queue' });
  return (error, lookup) => {
    if (lookup === undefined) return log.warn({ err: error }, 'the queue reports an error');
    onRetry?.();
    log.warn({ err: error, lookup }, 'retrying lookup');
  };
}
