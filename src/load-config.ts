import { existsSync, readFileSync } from 'node:fs';
import { type Config, type ConfigProblems, readConfig } from './config.ts';
import type { CannotStart } from './core/cannot-start.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const ENV_FILE = '.env';

/** The configuration, and where each of its variables comes from, as it reads after the name. */
export type LoadedConfig = { readonly config: Config; readonly whereIs: (name: string) => string };

/**
 * The variables of a `.env` as `docker run --env-file` reads it: all that stands behind the `=` is the value. Node's own
 * reading makes nothing of `CONTACT=#bot-help`.
 */
function variablesIn(text: string): Variables {
  const lines = text.split('\n').map((line) => /^\s*(\w+)=(.*)/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1], line[2]]])));
}

/** Reads the configuration from the environment and from `.env`; the environment takes precedence. Throws `ConfigProblems`. */
export function loadConfig(environment: Variables): LoadedConfig {
  const fromFile: Variables = existsSync(ENV_FILE) ? variablesIn(readFileSync(ENV_FILE, 'utf8')) : {};
  const variables = { ...fromFile, ...environment };
  const config = readConfig(variables, (path) => readFileSync(path, 'utf8'));
  const source = (name: string) => (environment[name] === undefined ? `${ENV_FILE}` : 'the environment');
  return {
    config,
    whereIs: (name) => {
      const file = variables[`${name}_FILE`];
      if (file) return `from the file ${file}, which ${name}_FILE names in ${source(`${name}_FILE`)}`;
      return !variables[name] ? 'which is not set, so its default is used' : `from ${source(name)}`;
    },
  };
}

/** An error that stops the start, as an operator reads it: what, where it was found, what to do. */
export function explain(error: CannotStart, whereIs: LoadedConfig['whereIs']): string {
  return [
    `Snapshot Bot cannot start: ${error.what}.\n`,
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
    'To see the bot at work without any of them: npm run demo',
  ].join('\n');
}
