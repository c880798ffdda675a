import { parseArgs } from 'node:util';
import { ConfigProblems } from './config.ts';
import { isSnapshotId } from './core/snapshot-id.ts';
import { examine } from './doctor/examine.ts';
import { asText, exitCodeOf, type Finding, failure, ok } from './doctor/finding.ts';
import { loadConfig } from './load-config.ts';
import { createLogger } from './ops/logging.ts';
import { HTTP_TIMEOUTS } from './service/transport.ts';
import { USER_AGENT, VERSION } from './version.ts';

const EXIT_CANNOT_RUN = 2;
const USAGE = `usage: npm run doctor -- [--json] [--snapshot <id>]
Looks at everything that the bot needs, logs in once, and changes nothing.
Exit code: 0 all is well or only worth a look, 1 something fails, 2 it could not be looked at.`;

type Order = { readonly json: boolean; readonly snapshot: string | undefined };

function orderOf(args: readonly string[]): Order {
  try {
    const options = {
      json: { type: 'boolean' },
      snapshot: { type: 'string' },
      help: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (values.snapshot !== undefined && !isSnapshotId(values.snapshot)) {
      throw new Error('--snapshot takes an id: digits only');
    }
    return { json: values.json ?? false, snapshot: values.snapshot };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : 'unknown options'}\n${USAGE}`);
    process.exit(EXIT_CANNOT_RUN);
  }
}

function print(findings: readonly Finding[], { json }: Order): void {
  const report = { version: VERSION, ok: exitCodeOf(findings) === 0, findings };
  console.log(json ? JSON.stringify(report, null, 2) : asText(findings));
}

const order = orderOf(process.argv.slice(2));
let secrets: readonly string[] = [];
try {
  const { config } = loadConfig(process.env);
  secrets = config.secrets;
  const snapshotId =
    order.snapshot !== undefined && isSnapshotId(order.snapshot) ? order.snapshot : undefined;
  const found = await examine({
    config,
    timeouts: HTTP_TIMEOUTS,
    userAgent: USER_AGENT,
    snapshotId,
    now: Date.now,
  });
  print([ok('configuration', 'complete'), ...found], order);
  process.exitCode = exitCodeOf(found);
} catch (error) {
  if (error instanceof ConfigProblems) {
    const repair = 'set it in the environment or in .env (start from .env.example)';
    print(
      error.problems.map((problem) => failure('configuration', 'configuration', problem, repair)),
      order,
    );
  } else {
    // Filtered like the log, because an unexpected error may hold a secret.
    createLogger('error', secrets, { write: (line) => console.error(line) }).error(
      { err: error },
      'the doctor failed',
    );
  }
  process.exitCode = EXIT_CANNOT_RUN;
}
