import { parseArgs } from 'node:util';
import { ConfigProblems, loadConfig } from './config/load-config.ts';
import { isSnapshotId } from './core/diagnostics.ts';
import { examine } from './doctor/examine.ts';
import { asText, exitCodeOf, type Finding, failure, ok, warning } from './doctor/finding.ts';
import { createLogger } from './ops/logging.ts';
import { VERSION } from './ops/version.ts';

const EXIT_CANNOT_RUN = 2;
const USAGE = `usage: npm run doctor -- [--json] [--snapshot <id>]
Checks everything that the bot needs, and logs in once.
Exit code: 0 all is well or only worth a look, 1 something fails, 2 it could not be checked.`;
const REPAIR = 'set it in the environment or in .env (start from .env.example)';

function orderOf(args: string[]) {
  try {
    const options = { json: { type: 'boolean' }, snapshot: { type: 'string' } } as const;
    const { json = false, snapshot: snapshotId } = parseArgs({ args, options }).values;
    if (snapshotId === undefined || isSnapshotId(snapshotId)) return { json, snapshotId };
    throw new Error('--snapshot takes an id: digits only');
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
    process.exit(EXIT_CANNOT_RUN);
  }
}

const { json, snapshotId } = orderOf(process.argv.slice(2));

function print(findings: readonly Finding[]): void {
  const report = { version: VERSION, ok: exitCodeOf(findings) === 0, findings };
  console.log(json ? JSON.stringify(report, null, 2) : asText(findings));
}

let secrets: readonly string[] = [];
try {
  const { config, warnings } = loadConfig(process.env);
  secrets = config.secrets;
  const unused = warnings.map((what) => warning('configuration', what, 'rename or remove it'));
  const findings = await examine(config, snapshotId);
  print([...(unused.length > 0 ? unused : [ok('configuration', 'complete')]), ...findings]);
  process.exitCode = exitCodeOf(findings);
} catch (error) {
  process.exitCode = EXIT_CANNOT_RUN;
  if (error instanceof ConfigProblems)
    print(error.problems.map((problem) => failure('configuration', problem, REPAIR)));
  // Filtered like the log, because an unexpected error may hold a secret.
  else
    createLogger('error', secrets, { write: (line) => console.error(line) }).error(
      { err: error },
      'the doctor failed',
    );
}
