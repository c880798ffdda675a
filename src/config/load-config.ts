import { existsSync, readFileSync } from 'node:fs';
import leven from 'leven';
import { type CannotStart, errorCode } from '../core/errors.ts';
import { assemble, type Config, type Values, type Variables } from './config.ts';
import { SECRETS, SETTINGS, VARIABLES, type Variable, WHERE_TOKENS } from './settings.ts';

const ENV_FILE = '.env';
const CA_CERTS = 'NODE_EXTRA_CA_CERTS';
const FILES = SECRETS.map((name) => `${name}_FILE`);
const KNOWN = [...VARIABLES, ...FILES, CA_CERTS, 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
/** Names that only settings have. Kubernetes sets `REDIS_PORT` and `REDIS_SERVICE_…` for a service named redis. */
const OURS = /^(?:ALLOW|SLACK_|DIAGNOSTICS_|STATE_|REDIS_(?!PORT|SERVICE_))/;
const MOST_SLIPS = 2;

/** What is wrong with the configuration: a line for each problem, with its repair and without a value. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(`the configuration has ${many}:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the configuration from the environment and from `.env`; the environment takes precedence. Gives also where a
 * variable comes from, as it reads after its name, and warnings for what has no effect. Throws `ConfigProblems`.
 */
export function loadConfig(environment: Variables) {
  const fromFile = readEnvFile();
  const variables = { ...fromFile, ...environment };
  const config = readConfig(variables);
  const source = (name: string) => (environment[name] === undefined ? ENV_FILE : 'the environment');
  const isUnread = Boolean(fromFile[CA_CERTS]) && !environment[CA_CERTS];
  const unread = `${CA_CERTS} is in ${ENV_FILE}, where Node does not read it: set it in the environment`;
  return {
    config,
    warnings: [...unknownNames(variables).warnings, ...(isUnread ? [unread] : [])],
    whereIs: (name: string) => {
      const file = variables[`${name}_FILE`];
      if (file) return `from the file ${file}, which ${name}_FILE names in ${source(`${name}_FILE`)}`;
      return !variables[name] ? 'which is not set, so its default is used' : `from ${source(name)}`;
    },
  };
}

/**
 * The variables of a `.env` as `docker run --env-file` reads it: all that stands behind the `=` is the value. Node's own
 * reading makes nothing of `CONTACT=#bot-help`.
 */
function readEnvFile(): Variables {
  try {
    const text = existsSync(ENV_FILE) ? readText(ENV_FILE) : '';
    const lines = text.split('\n').map((line) => /^\s*(\w+)=(.*)/.exec(line));
    return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1], line[2]]])));
  } catch (error) {
    const why = `can't be read (${errorCode(error)}): check that it is a file, and its permissions`;
    throw new ConfigProblems([`${ENV_FILE} ${why}`]);
  }
}

const readText = (path: string) => readFileSync(path, 'utf8');

/** Reads the configuration from variables; `readFile` gives the text of a file that an `X_FILE` names. Throws `ConfigProblems`. */
export function readConfig(variables: Variables, readFile = readText): Config {
  const problems: string[] = [];
  const named = VARIABLES.map((name) => [name, valueFor(name, variables, readFile, problems)] as const);
  const values = Object.fromEntries(named.filter(([, value]) => value)) as Values;
  const { data, error } = SETTINGS.safeParse(values);
  // A secret whose file can't be read is not missing.
  const isToldOf = (name: string) => problems.some((line) => line.startsWith(`${name}_FILE names`));
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ name: String(path[0]), message }));
  problems.push(...issues.flatMap(({ name, message }) => (isToldOf(name) ? [] : `${name} ${message}`)));
  problems.push(...unknownNames(variables).problems, ...combined(values), ...unsafe(variables));
  if (data === undefined || problems.length > 0) throw new ConfigProblems(problems);
  return assemble(data, values, variables);
}

function valueFor(
  name: Variable,
  variables: Variables,
  readFile: (path: string) => string,
  problems: string[],
): string | undefined {
  const value = variables[name]?.trim() ?? '';
  const isSecret = SECRETS.some((secret) => secret === name);
  const file = isSecret ? variables[`${name}_FILE`] : undefined;
  if (!file) return plainValue(name, value, isSecret, problems);
  if (value) problems.push(`${name} and ${name}_FILE are both set: keep one of them`);
  try {
    return readFile(file).trim();
  } catch {
    problems.push(`${name}_FILE names a file that can't be read: check the path and its permissions`);
    return undefined;
  }
}

const QUOTED = /^(["'`])(.*)\1$/s;
const COMMENT = /\s#\s/;

/** The value without quotes or a comment, which some programs take out of such a file and others hand on. */
function plainValue(name: string, value: string, isSecret: boolean, problems: string[]): string {
  const besides = isSecret
    ? `; if they belong to the value, put it into a file and name that in ${name}_FILE`
    : '';
  if (COMMENT.test(value)) problems.push(`${name} holds a comment: put that on a line of its own${besides}`);
  const [, , quoted] = QUOTED.exec(value) ?? [];
  if (quoted !== undefined) problems.push(`${name} is in quotes: write it without them${besides}`);
  return quoted ?? value.split(COMMENT, 1)[0] ?? value;
}

/**
 * Names that no setting has: `problems` where only a setting can begin so, and `warnings` where another program's variable
 * differs from a setting by a letter or two.
 */
function unknownNames(variables: Variables) {
  const found = Object.keys(variables).flatMap((name) => {
    if (KNOWN.includes(name)) return [];
    const meant = KNOWN.find((known) => name.length > MOST_SLIPS * 2 && leven(name, known) <= MOST_SLIPS);
    const repair = meant === undefined ? 'remove it; .env.example lists all settings' : `is ${meant} meant?`;
    return { isOurs: OURS.test(name), meant, line: `${name} is no setting: ${repair}` };
  });
  return {
    problems: found.filter(({ isOurs }) => isOurs).map(({ line }) => line),
    warnings: found.filter(({ isOurs, meant }) => !isOurs && meant !== undefined).map(({ line }) => line),
  };
}

/** Rules that involve two settings. */
function combined(values: Values): string[] {
  const { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, REDIS_URL, STATE_KEY, OPS_PORT, PORT = '3000' } = values;
  const problems: string[] = [];
  if (SLACK_APP_TOKEN === undefined && SLACK_SIGNING_SECRET === undefined)
    problems.push(
      `SLACK_SIGNING_SECRET is missing: copy it from ${WHERE_TOKENS}, Basic Information; or set SLACK_APP_TOKEN to use Socket Mode`,
    );
  if (REDIS_URL !== undefined && STATE_KEY === undefined)
    problems.push('STATE_KEY is missing: a shared Redis needs it; make one with `openssl rand -base64 32`');
  // Over Socket Mode only one of them is listened on; 0 is any free port.
  if (SLACK_APP_TOKEN === undefined && OPS_PORT !== '0' && OPS_PORT === PORT)
    problems.push('OPS_PORT is the same as PORT: choose another one, or leave it out to serve all on PORT');
  return problems;
}

const PROXY_SCHEME = /^(?:https?|socks5?):$/;
const UNVERIFIED =
  'NODE_TLS_REJECT_UNAUTHORIZED is 0, which sends the password to any server that answers: remove it, and name the ' +
  'authority that signed the certificate in NODE_EXTRA_CA_CERTS';

/** Variables of Node and of other programs that would make connections unsafe, or go to another place. */
function unsafe(variables: Variables): string[] {
  const proxies = ['http_proxy', 'https_proxy'].flatMap((name) => {
    const address = variables[name] ?? variables[name.toUpperCase()];
    if (!address || PROXY_SCHEME.test(URL.parse(address)?.protocol ?? '')) return [];
    return `${name.toUpperCase()} is not the address of a proxy: write it with its scheme, such as http://proxy.example.com:3128`;
  });
  return variables.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? [...proxies, UNVERIFIED] : proxies;
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
