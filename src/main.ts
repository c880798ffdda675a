import './compile-cache.js';
import { flushCompileCache } from 'node:module';

/**
 * When compiled code is written to the cache again: by then the first login and mostly the first answers have happened.
 * A regular stop writes the rest.
 */
const WRITE_AGAIN_MS = 60_000;

await import('./run.ts');
flushCompileCache();
setTimeout(flushCompileCache, WRITE_AGAIN_MS).unref();
