import { argv, exit, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { has } from '../support/needs.ts';
import type { Kind } from './chaos-world.ts';
import { runSeed, runStorm } from './run.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: String(Date.now() % 1_000_000) },
    kind: { type: 'string', default: 'both' },
    /** Plays two hundred commands for each seed instead of three or four. */
    storm: { type: 'boolean', default: false },
    /** Prints what happened even if the bot made no fault. */
    all: { type: 'boolean', default: false },
    'side-by-side': { type: 'string', default: '4' },
  },
});
// Child processes are ended on `exit`, which does not fire if a signal without a handler ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => exit(130));

const first = Number(values.first);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index);
const kinds = (['embedded', 'redis'] as const).filter(
  (kind) => values.kind === 'both' || values.kind === kind,
);
const runnable = kinds.filter((kind) => kind === 'embedded' || has('redis-server'));

const queue = new PQueue({ concurrency: Number(values['side-by-side']) });
const COUNTED = ['commands', 'accepted', 'hours', 'changes', 'logins', 'requests'] as const;
const totals = {
  runs: 0,
  failed: 0,
  commands: 0,
  accepted: 0,
  hours: 0,
  changes: 0,
  logins: 0,
  requests: 0,
};

async function runAndPrint(kind: Kind, seed: number): Promise<void> {
  const run = values.storm ? runStorm : runSeed;
  const { broken, happened = [], ...counts } = await run(kind, seed);
  totals.runs += 1;
  totals.failed += broken.length > 0 ? 1 : 0;
  for (const name of COUNTED) totals[name] += counts[name];
  const lines = broken.length > 0 || values.all ? [...broken, ...happened] : [];
  const verdict = [broken.length === 0 ? 'kept' : 'BROKEN', ...lines].join('\n  ');
  stdout.write(`${kind} seed ${seed}: ${counts.accepted} of ${counts.commands} accepted, ${verdict}\n`);
}

stdout.write(`chaos: ${seeds.length} seeds from ${first}, on ${runnable.join(' and ')}\n`);
await Promise.all(runnable.flatMap((kind) => seeds.map((seed) => queue.add(() => runAndPrint(kind, seed)))));
stdout.write(`${JSON.stringify(totals)}\n${totals.runs - totals.failed} passed, ${totals.failed} failed\n`);
exit(totals.failed === 0 ? 0 : 1);
