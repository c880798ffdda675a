import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<{ readonly lookup: string }>();

/** Whatever is logged in this work, by whichever library, carries the id of the lookup. */
export function inLookup<T>(lookup: string, work: () => T): T {
  return current.run({ lookup }, work);
}

/** The fields that a line written now carries by itself. */
export function logContext(): object {
  return current.getStore() ?? {};
}
