import { setImmediate as turn } from 'node:timers/promises';

/** Processor time of this thread alone. Milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The longest time that some work holds the loop, in milliseconds of processor time: other processes do not count. */
export async function longestStretch(work: () => unknown): Promise<number> {
  let [longest, isOver, last] = [0, false, cpuMs()];
  const measure = () => {
    longest = Math.max(longest, cpuMs() - last);
    last = cpuMs();
  };
  const watching = (async () => {
    for (; !isOver; measure()) await turn();
  })();
  await turn();
  last = cpuMs();
  await work();
  measure();
  isOver = true;
  await watching;
  return longest;
}
