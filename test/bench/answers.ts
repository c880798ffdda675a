import { setTimeout as delay } from 'node:timers/promises';
import { has } from '../support/needs.ts';
import { openBenchWorld } from './bench-world.ts';
import { answerLoad } from './load.ts';
import type { Measurement, Row } from './row.ts';
import type { SubjectName } from './subject.ts';

const RUNS = 5;
/** Answers before the measurement. They let V8 compile most of the code, as in a bot that has run for weeks. */
const WARM_UP = 2_000;
const COMMANDS = 800;
const AT_ONCE = 40;
/** How long after the start the idle memory is measured, so that the garbage of the start is collected. */
const SETTLE_MS = 500;

type Run = {
  readonly perSecond: number;
  readonly ackP99Ms: number;
  readonly processorMs: number;
  readonly startMs: number;
  readonly idleMb: number;
};

async function runOnce(name: SubjectName, profileDir: string | undefined): Promise<Run> {
  const bench = await openBenchWorld(name, name.startsWith('this') ? { profileDir } : {});
  await delay(SETTLE_MS);
  const idleMb = bench.subject.memoryMb();
  await answerLoad(bench, WARM_UP, AT_ONCE);
  const load = await answerLoad(bench, COMMANDS, AT_ONCE);
  await bench.close();
  return { ...load, idleMb, startMs: bench.subject.startMs };
}

/** Measures the subjects in alternating runs, so that other load on the machine affects all of them alike. */
export const ANSWERS: Measurement = {
  names: ['answers', 'processor', 'answers-afternoon', 'answers-redis', 'ack', 'start', 'idle-memory'],
  run: async (report, profileDir) => {
    const subjects: SubjectName[] = ['bare Bolt', 'afternoon bot', 'this bot'];
    if (has('redis-server')) subjects.push('this bot on Redis');
    const rounds: Record<string, Run>[] = [];
    for (let round = 0; round < RUNS; round += 1) {
      const runs: Record<string, Run> = {};
      for (const subject of subjects) {
        runs[subject] = await runOnce(subject, round === 0 ? profileDir : undefined);
        const { perSecond, processorMs, ackP99Ms, startMs, idleMb } = runs[subject];
        report(
          `${subject}: ${perSecond.toFixed(0)} answers/s, ${processorMs.toFixed(2)} ms of processor each, acknowledged in ${ackP99Ms.toFixed(0)} ms (p99), ` +
            `started in ${startMs.toFixed(0)} ms, ${idleMb.toFixed(0)} MB idle`,
        );
      }
      rounds.push(runs);
    }
    return rowsOf(rounds);
  },
};

type Comparison = { readonly other: SubjectName; readonly field: keyof Run; readonly one?: SubjectName };

const bolt = (field: keyof Run, one?: SubjectName): Comparison => ({
  other: 'bare Bolt',
  field,
  ...(one && { one }),
});

/** Each row: its name, its label, whether more or less is good, the bound, the goal, and the compared field. */
const ROWS: readonly (readonly [string, string, Row['good'], number, number, Comparison])[] = [
  ['answers', 'answers a second', 'more', 0.9, 1, bolt('perSecond')],
  ['processor', 'processor time an answer', 'less', 1.2, 1, bolt('processorMs')],
  ['answers-afternoon', 'answers a second', 'more', 2, 3, { other: 'afternoon bot', field: 'perSecond' }],
  ['answers-redis', 'answers a second on Redis', 'more', 0.5, 0.8, bolt('perSecond', 'this bot on Redis')],
  ['ack', 'acknowledgement p99 at 40 at a time', 'less', 1.5, 1.2, bolt('ackP99Ms')],
  ['start', 'start to ready', 'less', 1.6, 1.3, bolt('startMs')],
  ['idle-memory', 'idle memory', 'less', 1.3, 1.2, bolt('idleMb')],
];

function rowsOf(rounds: readonly Record<string, Run>[]): Row[] {
  return ROWS.map(([name, measured, good, must, goal, { one = 'this bot', other, field }]) => {
    const what = `${measured}, beside ${other === 'bare Bolt' ? other : `the ${other}`}`;
    const values = rounds.flatMap((runs) => {
      const [above, below] = [runs[one], runs[other]];
      return above === undefined || below === undefined ? [] : [above[field] / below[field]];
    });
    return { name, what, unit: '×', good, must, goal, values } as const;
  }).filter(({ values }) => values.length > 0);
}
