import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { parseArgs } from 'node:util';
import { ANSWERS } from './answers.ts';
import { DOCUMENT } from './document.ts';
import { FLOODED } from './flood.ts';
import { MANY } from './many.ts';
import { LEAK } from './memory.ts';
import { READING } from './reading.ts';
import { REPLICAS } from './replicas.ts';
import type { Measurement, Row } from './row.ts';
import { asTable, isMet } from './table.ts';
import { THRIFT } from './thrift.ts';
import { MANY_WAITS, READY_TO_EDITED } from './waits.ts';

/**
 * The groups run one after the other. The measurements of one group run at the same time, because they don't measure
 * time.
 */
const GROUPS: readonly (readonly Measurement[])[] = [
  [ANSWERS],
  [MANY],
  [DOCUMENT],
  [READING],
  [MANY_WAITS],
  [READY_TO_EDITED],
  [FLOODED],
  [THRIFT, LEAK],
  [REPLICAS],
];
const PROFILES = 'bench-profiles';
const NAMES = GROUPS.flat().flatMap(({ names }) => names);
const HELP = `npm run bench -- [--only <row>] [--json] [--profile]
  --only <row>   one of: ${NAMES.join(', ')}
  --json         the rows as JSON on standard output; what goes on is told on standard error
  --profile      leaves CPU profiles (.cpuprofile) of the bot in ${PROFILES}/`;

const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help || (options.only !== undefined && !NAMES.includes(options.only))) {
  console.error(HELP);
  exit(options.help ? 0 : 2);
}

// Child processes are ended on `exit`, which does not fire if a signal without a handler ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => exit(130));

// Fills the compile cache, so that no measured start compiles code.
const COMPILE = join(import.meta.dirname, '..', '..', 'src', 'compile.js');
spawnSync(process.execPath, [COMPILE], { cwd: tmpdir(), env: {}, stdio: 'ignore' });

const profileDir = options.profile ? PROFILES : undefined;
if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
const rows: Row[] = [];
for (const group of GROUPS) {
  const wanted = group.filter(({ names }) => options.only === undefined || names.includes(options.only));
  if (wanted.length === 0) continue;
  const began = performance.now();
  const runs = wanted.map(({ run }) => run((line) => console.error(line), profileDir));
  rows.push(...(await Promise.all(runs)).flat());
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.error(`${wanted.flatMap(({ names }) => names).join(', ')}: took ${seconds} s`);
}
const shown = rows.filter(({ name }) => options.only === undefined || name === options.only);
const cores = cpus();
const machine = `${cores.length} cores (${cores[0]?.model ?? 'unknown'}), Node ${process.version}`;
console.log(options.json ? JSON.stringify({ machine, rows: shown }, null, 2) : asTable(machine, shown));
exit(shown.every(isMet) ? 0 : 1);
