import { join } from 'node:path';

/**
 * Where processes that tests start keep compiled modules: a bot starts in half the processor time. Node checks that
 * they belong to the sources.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'node'),
} as const;
