import { bundled } from './bundled-bot.ts';
import { setup as fillCompileCache } from './fill-compile-cache.ts';

/**
 * For a run of all tests: compiles all code, and makes the bundle before the tests begin, because each process that runs
 * them would make one, all at the same time.
 */
export async function setup(): Promise<void> {
  await Promise.all([fillCompileCache(), bundled('main')]);
}
