import { openBench } from './far-ends.ts';
import { answerLoad } from './load.ts';
import type { Measurement } from './row.ts';

const FIRST = 2_000;
const ALL = 20_000;

/** What stays in memory of commands that were answered. */
export const LEAK: Measurement = {
  names: ['leak'],
  run: async (report, profileDir) => {
    const bench = await openBench('this bot', { profileDir });
    await answerLoad(bench, FIRST, 40);
    const before = bench.subject.memoryMb();
    report(`${before.toFixed(0)} MB after ${FIRST} commands`);
    await answerLoad(bench, ALL - FIRST, 40);
    const after = bench.subject.memoryMb();
    report(`${after.toFixed(0)} MB after ${ALL} commands`);
    await bench.close();
    return [
      {
        name: 'leak',
        what: 'memory after 20,000 answered commands, beside after 2,000',
        unit: '×',
        good: 'less',
        must: 1.1,
        values: [after / before],
      },
    ];
  },
};
