import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** Beside the code of the libraries, and as safe as that: who can write here can change the bot itself. */
const CACHE = join(import.meta.dirname, '..', 'node_modules', '.cache', 'node');

// Before anything else is loaded. What was compiled once is not stripped of its types and compiled again: half of the
// processor time of a start. Where the folder can't be written, the bot runs without.
enableCompileCache(CACHE);
await import('./run.ts');
flushCompileCache();
