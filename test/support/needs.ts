import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

// biome-ignore lint/style/noProcessEnv: the search path and CI are facts of the machine that runs the tests.
const { PATH = '', CI } = process.env;

/** Where a program is installed; undefined where it is not. */
export function pathTo(program: string): string | undefined {
  const paths = PATH.split(delimiter).map((folder) => join(folder, program));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Debian's name of the package that each program comes in. */
const PACKAGES = {
  'redis-server': 'redis-server',
  chromium: 'chromium',
  prlimit: 'util-linux',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
  kubectl: 'kubernetes-client',
} as const;

/**
 * Whether tests that need a program can run. Where it is missing they say so and are skipped on a user's machine;
 * with CI=true they run all the same, and fail.
 */
export function has(program: keyof typeof PACKAGES): boolean {
  if (pathTo(program) !== undefined || CI === 'true') return true;
  process.stderr.write(
    `Skipped, because ${program} is not installed: apt-get install ${PACKAGES[program]}\n`,
  );
  return false;
}
