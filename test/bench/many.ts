import { asHit, catalogue } from '../emulators/diagnostics-service/catalogue/checks.ts';
import { openBenchWorld } from './bench-world.ts';
import { answerLoad } from './load.ts';
import type { Measurement } from './row.ts';
import type { SubjectName } from './subject.ts';

const RUNS = 3;
const PEOPLE = 300;
const SNAPSHOTS = 50;
const FIRST_ID = 80_000;
const WARM_UP = 500;
const COMMANDS = 600;
const AT_ONCE = 40;
const HITS = catalogue(13).map(asHit);

async function perSecond(name: SubjectName, profileDir: string | undefined): Promise<number> {
  const bench = await openBenchWorld(name, { people: PEOPLE, profileDir });
  for (let index = 0; index < SNAPSHOTS; index += 1) {
    const id = String(FIRST_ID + index);
    const document = { diagnostics: HITS, system: { chassisSerialNumber: `chs${id}` } };
    bench.service.shelve(id, { title: 'many', purpose: 'one of many', document });
  }
  const asking = (index: number) => ({
    text: `${FIRST_ID + (index % SNAPSHOTS)} hit`,
    user: `U0MORE${index % PEOPLE}`,
  });
  await answerLoad(bench, WARM_UP, AT_ONCE, asking);
  const load = await answerLoad(bench, COMMANDS, AT_ONCE, asking);
  await bench.close();
  return load.perSecond;
}

/** 300 people ask for 50 snapshots in turn, 40 at a time, so that they hardly ever share a request. */
export const MANY: Measurement = {
  names: ['many-snapshots'],
  run: async (report, profileDir) => {
    const values: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const simple = await perSecond('afternoon bot', undefined);
      const own = await perSecond('this bot', run === 0 ? profileDir : undefined);
      report(`50 snapshots, 300 people: ${own.toFixed(0)} answers/s, the afternoon bot ${simple.toFixed(0)}`);
      values.push(own / simple);
    }
    const what = 'answers a second for 50 snapshots and 300 people, beside the afternoon bot';
    return [{ name: 'many-snapshots', what, unit: '×', good: 'more', must: 1.2, goal: 2, values }];
  },
};
