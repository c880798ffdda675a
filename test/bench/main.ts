import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { argv, exit } from 'node:process';
import { parseArgs } from 'node:util';
import { ANSWERS } from './answers.ts';
import { DOCUMENT } from './document.ts';
import { FLOODED } from './flood.ts';
import { LEAK } from './memory.ts';
import { READING } from './reading.ts';
import { REPLICAS } from './replicas.ts';
import type { Measurement, Row } from './row.ts';
import { asTable, isMet } from './table.ts';
import { THRIFT } from './thrift.ts';
import { MANY_WAITS, READY_TO_EDITED } from './waits.ts';

const MEASUREMENTS: readonly Measurement[] = [
  ANSWERS,
  DOCUMENT,
  READING,
  THRIFT,
  MANY_WAITS,
  READY_TO_EDITED,
  FLOODED,
  LEAK,
  REPLICAS,
];
const PROFILES = 'bench-profiles';
const NAMES = MEASUREMENTS.flatMap(({ names }) => names);
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

const profileDir = options.profile ? PROFILES : undefined;
if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
const rows: Row[] = [];
for (const measurement of MEASUREMENTS) {
  if (options.only !== undefined && !measurement.names.includes(options.only)) continue;
  rows.push(...(await measurement.run((line) => console.error(line), profileDir)));
}
const shown = rows.filter(({ name }) => options.only === undefined || name === options.only);
const cores = cpus();
const machine = `${cores.length} cores (${cores[0]?.model ?? 'unknown'}), Node ${process.version}`;
console.log(options.json ? JSON.stringify({ machine, rows: shown }, null, 2) : asTable(machine, shown));
exit(shown.every(isMet) ? 0 : 1);
