import { SealBroken } from '../sealing/sealer.ts';
import type { StorageContext } from './storage.ts';

/** Called with a failed step or an unreadable job, and without an id for errors of the queue itself. */
type OnQueueError = (error: unknown, lookupId: string | undefined) => void;

const UNREADABLE =
  'an open lookup or reminder could not be opened: it is left as it is; STATE_KEY may lack its key';

/** Reports the errors of a queue in the log, each with a message of its own. A job without its key is not retried. */
export function reportQueue({ logger, onRetry, onUnreadable }: StorageContext): OnQueueError {
  const log = logger.child({ part: 'queue' });
  return (error, lookup) => {
    if (lookup === undefined) return log.warn({ err: error }, 'the queue reports an error');
    if (error instanceof SealBroken) {
      onUnreadable?.();
      return log.error({ err: error, lookup }, UNREADABLE);
    }
    onRetry?.();
    log.warn({ err: error, lookup }, 'retrying lookup');
  };
}
