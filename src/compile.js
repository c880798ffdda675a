import './compile-cache.js';
import { globSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loads all code once to fill the compile cache, for a bot that can't write the cache itself. Without a configuration
 * this ends with exit code 2, like the bot.
 */
const folder = import.meta.dirname;
for (const file of globSync('*/**/*.ts', { cwd: folder })) {
  if (!file.endsWith('-worker.ts')) await import(join(folder, file));
}
await import('./main.ts');
