import { has } from '../support/needs.ts';
import { openBench } from './far-ends.ts';
import { answerLoad } from './load.ts';
import type { Measurement, Row } from './row.ts';

const RUNS = 3;
const WARM_UP = 100;
const COMMANDS = 400;
const AT_ONCE = 40;
const COUNTS = [2, 4] as const;

/** Answers a second of so many replicas on one Redis. */
async function perSecond(replicas: number): Promise<number> {
  const bench = await openBench('this bot on Redis');
  for (let more = 1; more < replicas; more += 1) await bench.addReplica();
  await answerLoad(bench, WARM_UP, AT_ONCE);
  const load = await answerLoad(bench, COMMANDS, AT_ONCE);
  await bench.close();
  return load.perSecond;
}

/** What more replicas add, as far as the machine's cores and the emulators beside them tell. */
export const REPLICAS: Measurement = {
  names: COUNTS.map((count) => `replicas-${count}`),
  run: async (report) => {
    if (!has('redis-server')) return [];
    const rounds: Map<number, number>[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const round = new Map<number, number>();
      for (const count of [1, ...COUNTS]) {
        round.set(count, await perSecond(count));
        report(`${count} on Redis: ${round.get(count)?.toFixed(0)} answers/s`);
      }
      rounds.push(round);
    }
    return COUNTS.map((count): Row => {
      const values = rounds.map((round) => (round.get(count) ?? 0) / (round.get(1) ?? 1));
      const what = `answers a second of ${count} replicas on one Redis, beside one`;
      return { name: `replicas-${count}`, what, unit: '×', good: 'more', must: 1, values };
    });
  },
};
