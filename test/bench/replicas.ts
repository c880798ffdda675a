import { cpus } from 'node:os';
import { has } from '../support/needs.ts';
import { openBenchWorld } from './bench-world.ts';
import { answerLoad } from './load.ts';
import type { Measurement, Row } from './row.ts';
import { median } from './statistics.ts';

const RUNS = 5;
/** Answers of each replica before the measurement. They let V8 compile most of the code. */
const WARM_UP = 1_000;
const COMMANDS = 2_400;
/** The number of open commands: enough to keep every replica and every core busy. */
const AT_ONCE = 240;
const COUNTS = [2, 4] as const;
/** A resource that is busy for this share of the time counts as used up: more replicas can't be faster. */
const FULL = 0.9;

/**
 * `cores`: the share of time in which the cores of the machine were busy with any process. `emulators`: the same for
 * the thread that runs both emulators and sends Slack's deliveries.
 */
type Run = { readonly perSecond: number; readonly cores: number; readonly emulators: number };

/** The total time of all cores since the start of the machine, and their idle time in it. */
function coreTime(): { readonly all: number; readonly idle: number } {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => {
    return { all: user + nice + sys + irq + idle, idle };
  });
  return times.reduce((one, other) => ({ all: one.all + other.all, idle: one.idle + other.idle }));
}

/** Measures the answers a second of this many replicas on one Redis. */
async function runOnce(replicas: number): Promise<Run> {
  const bench = await openBenchWorld('this bot on Redis');
  await Promise.all(Array.from({ length: replicas - 1 }, () => bench.addReplica()));
  await answerLoad(bench, WARM_UP * replicas, AT_ONCE);
  const before = coreTime();
  const loop = performance.eventLoopUtilization();
  const { perSecond } = await answerLoad(bench, COMMANDS, AT_ONCE);
  const after = coreTime();
  const { utilization: emulators } = performance.eventLoopUtilization(loop);
  await bench.close();
  return { perSecond, emulators, cores: 1 - (after.idle - before.idle) / (after.all - before.all) };
}

/** Measures the gain of more replicas in answers a second, up to the limit of the cores and the emulators. */
export const REPLICAS: Measurement = {
  names: COUNTS.map((count) => `replicas-${count}`),
  run: async (report) => {
    if (!has('redis-server')) return [];
    const rounds: Map<number, Run>[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      const round = new Map<number, Run>();
      for (const count of [1, ...COUNTS]) {
        const run = await runOnce(count);
        round.set(count, run);
        const busy = `cores ${percent(run.cores)}, emulators ${percent(run.emulators)} busy`;
        report(`${count} on Redis: ${run.perSecond.toFixed(0)} answers/s, ${busy}`);
      }
      rounds.push(round);
    }
    return COUNTS.map((count) => rowOf(count, rounds));
  },
};

function rowOf(count: number, rounds: readonly Map<number, Run>[]): Row {
  const of = (replicas: number, field: keyof Run) =>
    rounds.map((round) => round.get(replicas)?.[field] ?? Number.NaN);
  const alone = of(1, 'perSecond');
  const cores = median(of(count, 'cores'));
  const emulators = median(of(count, 'emulators'));
  return {
    name: `replicas-${count}`,
    what: `answers a second of ${count} replicas on one Redis, beside one`,
    unit: '×',
    good: 'more',
    must: 1,
    values: of(count, 'perSecond').map((value, index) => value / (alone[index] ?? Number.NaN)),
    full: fullOf(cores, emulators),
  };
}

/** The resource that is used up, if any. */
function fullOf(cores: number, emulators: number): string | undefined {
  if (emulators >= FULL) return `the emulators' thread, ${percent(emulators)} busy`;
  return cores >= FULL ? `the machine's ${cpus().length} cores, ${percent(cores)} busy` : undefined;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
