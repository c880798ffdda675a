import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { GUARDS, type Guard, THREATS } from './guards.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Folders that are not copied: packages are linked instead, the others hold history, data and reports. */
const LEFT_OUT = ['.git', '.stryker', 'data', 'node_modules', 'reports'];

const VITEST = join('node_modules', 'vitest', 'vitest.mjs');
/** Without some guards the bot blocks the tests' own process for ever, so each run has a time limit. */
const LONGEST_RUN_MS = 600_000;
const HANGS = 'the tests never end';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

/** Removes one guard after another in a copy of the project, and prints the first test that goes red for each. */
const copy = mkdtempSync(join(tmpdir(), 'snapshot-bot-guards-'));
try {
  cpSync(PROJECT, copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(relative(PROJECT, path)) });
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  const chosen = GUARDS.filter(({ threat, file }) => `${threat} ${file}`.includes(values.only));
  const missed = chosen.filter((guard) => !isMissed(guard, copy));
  console.log(`${chosen.length - missed.length} of ${chosen.length} guards are missed when they are removed`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Whether a test goes red without this guard. */
function isMissed({ threat, file, guard, without }: Guard, project: string): boolean {
  const path = join(project, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(guard, () => without),
  );
  const report = join(project, 'report.json');
  const options = ['--maxWorkers=1', '--reporter=json', `--outputFile=${report}`];
  rmSync(report, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [VITEST, 'run', ...options, ...(THREATS.get(threat) ?? [])],
    {
      cwd: project,
      timeout: LONGEST_RUN_MS,
      killSignal: 'SIGKILL',
    },
  );
  writeFileSync(path, text);
  const failed =
    status === 0 ? undefined : existsSync(report) ? firstFailure(readFileSync(report, 'utf8')) : HANGS;
  console.log(`${failed === undefined ? '✗' : '✓'} ${threat}: ${guard.trim().split('\n')[0]}`);
  console.log(
    `    ${failed ?? (status === 0 ? 'no test went red' : 'no test was tried: what is left is no program')}`,
  );
  return failed !== undefined;
}

/** The name of the first failed test. Undefined if none failed: then the run ended badly without trying any test. */
function firstFailure(report: string): string | undefined {
  const { testResults } = JSON.parse(report);
  for (const { assertionResults } of testResults) {
    for (const { status, fullName } of assertionResults) if (status === 'failed') return fullName;
  }
  return undefined;
}
