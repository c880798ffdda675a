import './compile-cache.js';
import { flushCompileCache } from 'node:module';

/** By then the first login and mostly the first answers have been; a stop in good order writes down the rest. */
const WRITE_AGAIN_MS = 60_000;

await import('./run.ts');
flushCompileCache();
setTimeout(flushCompileCache, WRITE_AGAIN_MS).unref();
