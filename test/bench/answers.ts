import { setTimeout as delay } from 'node:timers/promises';
import { has } from '../support/needs.ts';
import { openBench } from './far-ends.ts';
import { answerLoad } from './load.ts';
import type { Measurement, Row } from './row.ts';
import type { SubjectName } from './subject.ts';

const RUNS = 5;
const WARM_UP = 100;
const COMMANDS = 600;
const AT_ONCE = 40;
/** Idle memory is taken when what a start leaves behind has been collected. */
const SETTLE_MS = 1_000;

type Run = {
  readonly perSecond: number;
  readonly ackP99Ms: number;
  readonly startMs: number;
  readonly idleMb: number;
};

async function runOnce(name: SubjectName, profileDir: string | undefined): Promise<Run> {
  const bench = await openBench(name, name.startsWith('this') ? profileDir : undefined);
  await delay(SETTLE_MS);
  const idleMb = bench.subject.memoryMb();
  await answerLoad(bench, WARM_UP, AT_ONCE);
  const load = await answerLoad(bench, COMMANDS, AT_ONCE);
  await bench.close();
  return { ...load, idleMb, startMs: bench.subject.startMs };
}

/** Alternating runs of all subjects: what the machine does meanwhile meets all of them alike. */
export const ANSWERS: Measurement = {
  names: ['answers', 'answers-afternoon', 'answers-redis', 'ack', 'start', 'idle-memory'],
  run: async (report, profileDir) => {
    const subjects: SubjectName[] = ['bare Bolt', 'afternoon bot', 'this bot'];
    if (has('redis-server')) subjects.push('this bot on Redis');
    const rounds: Record<string, Run>[] = [];
    for (let round = 0; round < RUNS; round += 1) {
      const runs: Record<string, Run> = {};
      for (const subject of subjects) {
        runs[subject] = await runOnce(subject, round === 0 ? profileDir : undefined);
        const { perSecond, ackP99Ms, startMs, idleMb } = runs[subject];
        report(
          `${subject}: ${perSecond.toFixed(0)} answers/s, acknowledged in ${ackP99Ms.toFixed(0)} ms (p99), ` +
            `started in ${startMs.toFixed(0)} ms, ${idleMb.toFixed(0)} MB idle`,
        );
      }
      rounds.push(runs);
    }
    return rowsOf(rounds);
  },
};

function rowsOf(rounds: readonly Record<string, Run>[]): Row[] {
  const ratio = (one: SubjectName, other: SubjectName, field: keyof Run) =>
    rounds.flatMap((runs) => {
      const [above, below] = [runs[one], runs[other]];
      return above === undefined || below === undefined ? [] : [above[field] / below[field]];
    });
  const row = (name: string, what: string, good: Row['good'], must: number, goal: number, values: number[]) =>
    ({ name, what, unit: '×', good, must, goal, values }) as const;
  const besideBolt = (field: keyof Run) => ratio('this bot', 'bare Bolt', field);
  return [
    row('answers', 'answers a second, beside bare Bolt', 'more', 0.6, 1, besideBolt('perSecond')),
    row(
      'answers-afternoon',
      'answers a second, beside the afternoon bot',
      'more',
      1.5,
      3,
      ratio('this bot', 'afternoon bot', 'perSecond'),
    ),
    row(
      'answers-redis',
      'answers a second on Redis, beside bare Bolt',
      'more',
      0.5,
      0.8,
      ratio('this bot on Redis', 'bare Bolt', 'perSecond'),
    ),
    row(
      'ack',
      'acknowledgement p99 at 40 at a time, beside bare Bolt',
      'less',
      1.5,
      1.2,
      besideBolt('ackP99Ms'),
    ),
    row('start', 'start to ready, beside bare Bolt', 'less', 1.7, 1.3, besideBolt('startMs')),
    row('idle-memory', 'idle memory, beside bare Bolt', 'less', 1.4, 1.2, besideBolt('idleMb')),
  ].filter(({ values }) => values.length > 0);
}
