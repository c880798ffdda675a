import { type BenchWorld, openBenchWorld } from './bench-world.ts';
import { answerLoad } from './load.ts';
import { atMost, type Measurement } from './row.ts';

const FIRST = 2_000;
const ALL = 20_000;

/** The subject's resident memory in megabytes. Also reports the memory after a garbage collection. */
async function resident({ subject }: BenchWorld, commands: number, report: (line: string) => void) {
  const mb = subject.memoryMb();
  const held = await subject.retainedMb();
  report(`${mb.toFixed(0)} MB after ${commands} commands, ${held.toFixed(0)} MB without garbage`);
  return mb;
}

/** Measures how much memory answered commands leave behind. */
export const LEAK: Measurement = {
  names: ['leak'],
  run: async (report, profileDir) => {
    const bench = await openBenchWorld('this bot', { profileDir, collects: true });
    await answerLoad(bench, FIRST, 40);
    const before = await resident(bench, FIRST, report);
    await answerLoad(bench, ALL - FIRST, 40);
    const after = await resident(bench, ALL, report);
    await bench.close();
    const what = 'memory after 20,000 answered commands, beside after 2,000';
    return [atMost('leak', what, '×', { must: 1.1 }, after / before)];
  },
};
