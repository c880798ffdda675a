import { join } from 'node:path';

/**
 * The compile cache for processes that tests start: a bot then starts in half the processor time. Node checks that the
 * cached code matches the sources.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'node'),
} as const;
