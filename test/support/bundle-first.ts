import { bundled } from './bundled-bot.ts';

/** Makes the bundle before the tests begin: each process that runs them would make one, all at the same time. */
export async function setup(): Promise<void> {
  await bundled('run');
}
