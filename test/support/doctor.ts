import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { examine } from '../../src/doctor/checks.ts';
import { asText, type Finding } from '../../src/doctor/finding.ts';
import { bundled } from './bundled-bot.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { snapshotId } from './snapshot-id.ts';

const DOCTOR = join(import.meta.dirname, '..', '..', 'src', 'doctor.ts');

/** The output of one run of the doctor, and its exit code. */
export type Examination = {
  readonly code: number | null;
  readonly output: string;
  readonly findings: readonly Finding[];
};

/** Runs the doctor in this process, because starting Node takes most of the time of a separate run. */
export async function examineHere(
  environment: Readonly<Record<string, string>>,
  id?: string,
): Promise<Examination> {
  const config = readConfig(environment, () => '');
  const findings = await examine(config, id === undefined ? undefined : snapshotId(id));
  const code = findings.some(({ level }) => level === 'failure') ? 1 : 0;
  return { code, output: asText(findings), findings };
}

/** Runs the doctor in its own process, as an operator does; from its sources to get readable output. */
export async function runDoctor(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Examination> {
  const file = args.includes('--json') ? await bundled('doctor') : DOCTOR;
  return new Promise((done) => {
    // A folder without a `.env` file.
    const options = { env: { ...COMPILE_CACHE, ...environment }, cwd: tmpdir() };
    const child = execFile(process.execPath, [file, ...args], options, (_error, stdout, stderr) => {
      const findings = args.includes('--json') && stdout.startsWith('{') ? JSON.parse(stdout).findings : [];
      done({ code: child.exitCode, output: stdout + stderr, findings });
    });
  });
}
