import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { stopwatch } from './standstill.ts';

const MS = 400;

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * The measured process is one of its own, because it is stopped with SIGSTOP: this process must go on, to end the
 * run.
 */
const STOPWATCH = `
  import { stopwatch } from ${JSON.stringify(join(import.meta.dirname, 'standstill.ts'))};
  const elapsed = stopwatch();
  process.stdin.on('data', () => process.stdout.write(String(elapsed())));
  process.stdout.write('ready');`;

test('time in which the machine does not let a process run is not counted', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STOPWATCH]);
  try {
    const shown = async () => {
      child.stdin.write('now');
      return Number(String(await once(child.stdout, 'data')));
    };
    await once(child.stdout, 'data');
    // Before it is asked, so that this process counts no less than the other one.
    const begun = performance.now();
    const before = await shown();
    child.kill('SIGSTOP');
    await pause(MS);
    child.kill('SIGCONT');
    expect((await shown()) - before).toBeLessThan(performance.now() - begun - MS * 0.8);
  } finally {
    child.kill('SIGKILL');
  }
});

test('time in which a process computes is counted: a bot that blocks its event loop gets no extra time', () => {
  const elapsed = stopwatch([process.pid]);
  const begun = computedMs();
  while (computedMs() - begun < MS);
  expect(elapsed()).toBeGreaterThan(MS * 0.8);
});
