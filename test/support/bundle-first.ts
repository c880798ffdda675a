import { bundled } from './bundled-bot.ts';
import { setup as fillCompileCache } from './fill-compile-cache.ts';

/**
 * Compiles the code and makes the bundle before a full run of the tests. Otherwise each process that runs tests would
 * make a bundle at the same time.
 */
export async function setup(): Promise<void> {
  await Promise.all([fillCompileCache(), bundled('main')]);
}
