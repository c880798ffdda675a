import { argv, exit, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { has } from '../support/needs.ts';
import type { Kind } from './chaos-world.ts';
import { runSeed } from './run.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: String(Date.now() % 1_000_000) },
    kind: { type: 'string', default: 'both' },
    'side-by-side': { type: 'string', default: '4' },
  },
});
const first = Number(values.first);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index);
const kinds = (['embedded', 'redis'] as const).filter(
  (kind) => values.kind === 'both' || values.kind === kind,
);
const runnable = kinds.filter((kind) => kind === 'embedded' || has('redis-server'));

const queue = new PQueue({ concurrency: Number(values['side-by-side']) });
const totals = { runs: 0, failed: 0, commands: 0, accepted: 0, reminders: 0, logins: 0, requests: 0 };

async function runAndPrint(kind: Kind, seed: number): Promise<void> {
  const { broken, ...counts } = await runSeed(kind, seed);
  totals.runs += 1;
  totals.failed += broken.length > 0 ? 1 : 0;
  totals.commands += counts.commands;
  totals.accepted += counts.accepted;
  totals.reminders += counts.reminders;
  totals.logins += counts.logins;
  totals.requests += counts.requests;
  const verdict = broken.length === 0 ? 'kept' : `BROKEN\n  ${broken.join('\n  ')}`;
  stdout.write(`${kind} seed ${seed}: ${counts.accepted} of ${counts.commands} accepted, ${verdict}\n`);
}

stdout.write(`chaos: ${seeds.length} seeds from ${first}, on ${runnable.join(' and ')}\n`);
await Promise.all(runnable.flatMap((kind) => seeds.map((seed) => queue.add(() => runAndPrint(kind, seed)))));
stdout.write(`${JSON.stringify(totals)}\n${totals.runs - totals.failed} passed, ${totals.failed} failed\n`);
exit(totals.failed === 0 ? 0 : 1);
