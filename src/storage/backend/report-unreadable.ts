import type { StorageContext } from './storage.ts';

/** Reports unreadable values in the log once for each namespace, because there may be thousands. */
export function reportUnreadable({
  logger,
  onUnreadable,
}: StorageContext): (namespace: string, why: Error) => void {
  const reported = new Set<string>();
  return (namespace, why) => {
    onUnreadable?.();
    if (reported.has(namespace)) return;
    reported.add(namespace);
    logger.error(
      { namespace, err: why },
      'a stored value could not be opened: it counts as absent and is left as it is; STATE_KEY may lack its key',
    );
  };
}
