import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../src/doctor/finding.ts';
import { bundled } from './bundled-bot.ts';
import { COMPILE_CACHE } from './compile-cache.ts';

const DOCTOR = join(import.meta.dirname, '..', '..', 'src', 'doctor.ts');

/** What one run of the doctor printed, and how it ended. */
export type Examination = {
  readonly code: number | null;
  readonly output: string;
  readonly findings: readonly Finding[];
};

/** Runs the doctor in a process of its own, as an operator does; from its sources where it is to tell people. */
export async function runDoctor(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Examination> {
  const file = args.includes('--json') ? await bundled('doctor') : DOCTOR;
  return new Promise((done) => {
    // A folder without a .env of its own.
    const options = { env: { ...COMPILE_CACHE, ...environment }, cwd: tmpdir() };
    const child = execFile(process.execPath, [file, ...args], options, (_error, stdout, stderr) => {
      const findings = args.includes('--json') && stdout.startsWith('{') ? JSON.parse(stdout).findings : [];
      done({ code: child.exitCode, output: stdout + stderr, findings });
    });
  });
}
