import { existsSync, readFileSync } from 'node:fs';
import { type CannotStart, errorCode } from '../core/errors.ts';
import { nearestWord } from '../slack/commands/near-words.ts';
import { ConfigProblems, readConfig, SECRETS, VARIABLES, type Variables } from './read-config.ts';

const ENV_FILE = '.env';

const OF_NODE = 'NODE_EXTRA_CA_CERTS';
const OTHERS = [OF_NODE, 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
const KNOWN: readonly string[] = [...VARIABLES, ...SECRETS.map((name) => `${name}_FILE`), ...OTHERS];

/** Names that are one slip away from a setting. A part of a name, such as LOG, may be another program's. */
function misspelled(variables: Variables): string[] {
  const known = new Set(KNOWN);
  return Object.keys(variables).flatMap((name) => {
    const alike = KNOWN.filter(({ length }) => Math.abs(length - name.length) <= 1);
    const meant = known.has(name) ? undefined : nearestWord(name, alike);
    return meant === undefined ? [] : [`${name} is no setting: is ${meant} meant?`];
  });
}

/**
 * The variables of a `.env` as `docker run --env-file` reads it: all that stands behind the `=` is the value. Node's own
 * reading makes nothing of `CONTACT=#bot-help`.
 */
function variablesIn(text: string): Variables {
  const lines = text.split('\n').map((line) => /^\s*(\w+)=(.*)/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1], line[2]]])));
}

function readEnvFile(): Variables {
  try {
    return existsSync(ENV_FILE) ? variablesIn(readFileSync(ENV_FILE, 'utf8')) : {};
  } catch (error) {
    const why = `can't be read (${errorCode(error)}): check that it is a file, and its permissions`;
    throw new ConfigProblems([`${ENV_FILE} ${why}`]);
  }
}

/**
 * Reads the configuration from the environment and from `.env`; the environment takes precedence. Gives also where a
 * variable comes from, as it reads after its name, and what has no effect though somebody may have meant it to. Throws
 * `ConfigProblems`.
 */
export function loadConfig(environment: Variables) {
  const fromFile = readEnvFile();
  const variables = { ...fromFile, ...environment };
  const config = readConfig(variables, (path) => readFileSync(path, 'utf8'));
  const source = (name: string) => (environment[name] === undefined ? ENV_FILE : 'the environment');
  const isUnread = Boolean(fromFile[OF_NODE]) && !environment[OF_NODE];
  const unread = `${OF_NODE} is in ${ENV_FILE}, where Node does not read it: set it in the environment`;
  return {
    config,
    warnings: [...misspelled(variables), ...(isUnread ? [unread] : [])],
    whereIs: (name: string) => {
      const file = variables[`${name}_FILE`];
      if (file) return `from the file ${file}, which ${name}_FILE names in ${source(`${name}_FILE`)}`;
      return !variables[name] ? 'which is not set, so its default is used' : `from ${source(name)}`;
    },
  };
}

/** An error that stops the start, as an operator reads it: what it means, what, where it was found, what to do. */
export function explain(
  error: CannotStart,
  whereIs: (name: string) => string,
  consequence = 'Snapshot Bot cannot start',
): string {
  return [
    `${consequence}: ${error.what}.\n`,
    `  ${error.setting}, ${whereIs(error.setting)}`,
    `  What to do: ${error.repair}.\n`,
    'To check everything at once: npm run doctor',
  ].join('\n');
}

/** The same for a configuration with problems. */
export function explainConfig(error: ConfigProblems): string {
  return [
    `Snapshot Bot cannot start: ${error.message}\n`,
    'Each is an environment variable, or a line of .env (start from .env.example).',
    'To see the bot at work without any of them, in a clone of the project: npm ci --include=dev && npm run demo',
  ].join('\n');
}
