import { parseArgs } from 'node:util';
import { ConfigProblems, loadConfig, VERSION } from './config/config.ts';
import { isSnapshotId } from './core/diagnostics.ts';
import { examine } from './doctor/checks.ts';
import { asText, type Finding, failure, ok, warning } from './doctor/finding.ts';
import { createLogger } from './ops/logging.ts';

const EXIT_CANNOT_RUN = 2;
const USAGE = `usage: npm run doctor -- [--json] [--snapshot <id>]
Checks everything that the bot needs, and logs in once.
Exit code: 0 all is well or only worth a look, 1 something fails, 2 it could not be checked.`;

function orderOf() {
  try {
    const options = { json: { type: 'boolean' }, snapshot: { type: 'string' } } as const;
    const { json = false, snapshot } = parseArgs({ options }).values;
    if (snapshot === undefined || isSnapshotId(snapshot)) return { json, snapshot };
  } catch {
    // Invalid options: prints the usage below.
  }
  console.error(USAGE);
  process.exit(EXIT_CANNOT_RUN);
}

const { json, snapshot } = orderOf();

function print(findings: readonly Finding[]): boolean {
  const isOk = findings.every(({ level }) => level !== 'failure');
  console.log(json ? JSON.stringify({ version: VERSION, ok: isOk, findings }, null, 2) : asText(findings));
  return isOk;
}

let secrets: readonly string[] = [];
try {
  const { config, warnings } = loadConfig(process.env);
  secrets = config.secrets;
  const unused = warnings.map((what) => warning('configuration', what, 'rename or remove it'));
  const settings = unused.length > 0 ? unused : [ok('configuration', 'complete')];
  process.exitCode = print([...settings, ...(await examine(config, snapshot))]) ? 0 : 1;
} catch (error) {
  process.exitCode = EXIT_CANNOT_RUN;
  if (error instanceof ConfigProblems)
    print(error.problems.map((what) => failure('configuration', what, 'see .env.example')));
  // This logger hides secrets, which an unexpected error may contain.
  else createLogger('error', secrets, process.stderr).error({ err: error }, 'the doctor failed');
}
