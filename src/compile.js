import './compile-cache.js';
import { globSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loads all code once, so that a bot that can't write the cache finds it complete. Without a configuration this ends
 * with the exit code of that, 2.
 */
const folder = import.meta.dirname;
for (const file of globSync('*/**/*.ts', { cwd: folder })) {
  if (!file.endsWith('-worker.ts')) await import(join(folder, file));
}
await import('./main.ts');
