import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// biome-ignore lint/style/noProcessEnv: the search path and CI describe the machine that runs the tests.
const { PATH: SEARCH_PATH = '', CI } = process.env;

export { SEARCH_PATH };

/** The path of an installed program; undefined if it is not installed. */
export function pathTo(program: string): string | undefined {
  const paths = SEARCH_PATH.split(delimiter).map((folder) => join(folder, program));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** How to install each program, and the font with which the demo page is as wide as on a phone. */
const SOURCES = {
  'redis-server': 'apt-get install redis-server',
  haproxy: 'apt-get install haproxy',
  chromium: 'apt-get install chromium',
  prlimit: 'apt-get install util-linux',
  setpriv: 'apt-get install util-linux',
  promtool: 'apt-get install prometheus',
  'systemd-analyze': 'apt-get install systemd',
  kubectl: 'apt-get install kubernetes-client',
  helm: 'https://helm.sh/docs/intro/install',
  'Liberation Sans': 'apt-get install fonts-liberation',
} as const;

/**
 * Whether tests that need a program can run. Without it they are skipped with a message on a user's machine; with
 * CI=true they run anyway, and fail.
 */
export function has(program: keyof typeof SOURCES): boolean {
  if (isInstalled(program) || CI === 'true') return true;
  process.stderr.write(`Skipped, because ${program} is not installed: ${SOURCES[program]}\n`);
  return false;
}

function isInstalled(program: keyof typeof SOURCES): boolean {
  if (program !== 'Liberation Sans') return pathTo(program) !== undefined;
  return globSync('/usr/share/fonts/**/LiberationSans-Regular.ttf').length > 0;
}
