import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<{ readonly lookup: string }>();

/** Adds the lookup's id to every log line that is written during `work`, by any library. */
export function inLookup<T>(lookup: string, work: () => T): T {
  return current.run({ lookup }, work);
}

/** The fields to add to a line that is written now. */
export function logContext(): object {
  return current.getStore() ?? {};
}
