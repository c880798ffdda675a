import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import querystring from 'node:querystring';
import leven from 'leven';
import { errorCode } from '../core/faults.ts';
import { SECRETS, SETTINGS, type Settings, VARIABLES, type Variable, WHERE_TOKENS } from './settings.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);
/** The version in package.json. */
export const VERSION = String(JSON.parse(readFileSync(PACKAGE, 'utf8')).version);

/** The variables of the environment and of `.env`. */
type Variables = Readonly<Record<string, string | undefined>>;

const ENV_FILE = '.env';
const CA_CERTS = 'NODE_EXTRA_CA_CERTS';
const KNOWN = [...VARIABLES, ...SECRETS.map((name) => `${name}_FILE`), CA_CERTS];
/** Prefixes of settings alone: Kubernetes sets `REDIS_MASTER_PORT` and the like for a service `redis-master`. */
const OURS = /^(?!\w+_(?:SERVICE_|PORT\b|PORT_))(?:ALLOW|SLACK_|DIAGNOSTICS_|STATE_|REDIS_)/;
const MOST_SLIPS = 2;

/** The problems of a configuration, one line each, with a repair but without the setting's value. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(
      `the configuration has ${many}:\n${problems.map((line) => `  ${line}\n`).join('')}
Each is an environment variable, or a line of .env (start from .env.example).
To see the bot at work without any of them, in a clone of the project: npm ci --include=dev && npm run demo`,
    );
    this.problems = problems;
  }
}

/**
 * Reads the configuration from the environment and from `.env`; the environment takes precedence. Also returns warnings
 * about variables without effect. Throws `ConfigProblems`.
 */
export function loadConfig(environment: Variables) {
  const fromFile = readEnvFile();
  const variables = { ...fromFile, ...environment };
  const isUnread = Boolean(fromFile[CA_CERTS]) && !environment[CA_CERTS];
  const unread = `${CA_CERTS} is in ${ENV_FILE}, where Node does not read it: set it in the environment`;
  return {
    config: readConfig(variables),
    warnings: [...unknownNames(variables, false), ...(isUnread ? [unread] : [])],
  };
}

/**
 * Reads `.env` like `docker run --env-file`: everything after the `=` is the value, and other lines are comments or
 * errors. Node's own parser would read `CONTACT=#bot-help` as empty.
 */
function readEnvFile(): Variables {
  const lines = envFileText()
    .split(/\r?\n/)
    .map((line) => /^\s*(?:(\w+)=(.*)|#.*|)$/.exec(line));
  const wrong = lines.flatMap((found, index) => (found === null ? index + 1 : []));
  const repair = 'write NAME=value, without export and without spaces around the =';
  if (wrong.length > 0) throw new ConfigProblems([`${ENV_FILE} has no setting in line ${wrong}: ${repair}`]);
  return Object.fromEntries(
    lines.flatMap((found) => (found?.[1] === undefined ? [] : [[found[1], found[2]]])),
  );
}

function envFileText(): string {
  try {
    return existsSync(ENV_FILE) ? readText(ENV_FILE) : '';
  } catch (error) {
    const why = `can't be read (${errorCode(error)}): check that it is a file, and its permissions`;
    throw new ConfigProblems([`${ENV_FILE} ${why}`]);
  }
}

const readText = (path: string) => readFileSync(path, 'utf8');

/** Reads the configuration from variables. `readFile`: reads the file that an `X_FILE` names. Throws `ConfigProblems`. */
export function readConfig(variables: Variables, readFile = readText): Config {
  const read = VARIABLES.map((name) => ({ name, ...readValue(name, variables, readFile) }));
  const values: Values = Object.fromEntries(
    read.flatMap(({ name, value }) => (value ? [[name, value]] : [])),
  );
  const { data, error } = SETTINGS.safeParse(values);
  const unwritten = read.filter(({ problem }) => problem !== undefined).map(({ name }) => String(name));
  // A setting that `readValue` already reported gets no second problem.
  const issues = (error?.issues ?? []).filter(({ path }) => !unwritten.includes(String(path[0])));
  const problems = [
    ...read.flatMap(({ problem }) => problem ?? []),
    ...issues.map(({ path, message }) => `${String(path[0])} ${message}`),
    ...unknownNames(variables, true),
    ...combined(values, variables),
  ];
  // A misspelled name explains why its setting is missing.
  if (data === undefined || problems.length > 0)
    throw new ConfigProblems([...problems, ...unknownNames(variables, false)]);
  return assemble(data, values);
}

type Read = { readonly value: string; readonly problem?: string | undefined };

/** Reads the value of a setting, from its variable or from the file that `X_FILE` names. */
function readValue(name: Variable, variables: Variables, readFile: (path: string) => string): Read {
  // As in other programs, a lower-case proxy variable takes precedence.
  const inLowerCase = name.endsWith('_PROXY') ? variables[name.toLowerCase()] : undefined;
  const value = (inLowerCase ?? variables[name])?.trim() ?? '';
  const isSecret = SECRETS.some((secret) => secret === name);
  const file = isSecret ? variables[`${name}_FILE`] : undefined;
  if (!file) return { value, problem: formProblem(name, value, isSecret) };
  if (value) return { value, problem: `${name} and ${name}_FILE are both set: keep one of them` };
  try {
    return { value: readFile(file).trim() };
  } catch {
    const problem = `${name}_FILE names a file that can't be read: check the path and its permissions`;
    return { value: 'unread', problem };
  }
}

const QUOTED = /^(["'`]).*\1$/s;
const COMMENT = /\s#\s/;

/** Refuses quotes and comments, because only some programs strip them from an environment file. */
function formProblem(name: string, value: string, isSecret: boolean): string | undefined {
  const besides = isSecret
    ? `; if they belong to the value, put it into a file and name that in ${name}_FILE`
    : '';
  if (QUOTED.test(value)) return `${name} is in quotes: write it without them${besides}`;
  return COMMENT.test(value) ? `${name} holds a comment: put that on a line of its own${besides}` : undefined;
}

/**
 * Sentences about variables that are no settings: of those with a prefix of the bot's settings, which are errors; else
 * of those whose name differs from a setting by one or two letters.
 */
function unknownNames(variables: Variables, withOurPrefix: boolean): string[] {
  const names = Object.keys(variables).filter(
    (name) => !KNOWN.includes(name) && OURS.test(name) === withOurPrefix,
  );
  return names.flatMap((name) => {
    const meant = KNOWN.find((known) => name.length > MOST_SLIPS * 2 && leven(name, known) <= MOST_SLIPS);
    if (meant !== undefined) return `${name} is no setting: is ${meant} meant?`;
    return withOurPrefix ? `${name} is no setting: remove it; .env.example lists all settings` : [];
  });
}

const UNVERIFIED =
  'NODE_TLS_REJECT_UNAUTHORIZED is 0, which sends the password to any server that answers: remove it, and name the ' +
  'authority that signed the certificate in NODE_EXTRA_CA_CERTS';

/** Checks rules about two settings together, or about a variable of Node. */
function combined(values: Values, variables: Variables): string[] {
  const { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, REDIS_URL, STATE_KEY, OPS_PORT, PORT = '3000' } = values;
  const problems = [
    SLACK_APP_TOKEN === undefined &&
      SLACK_SIGNING_SECRET === undefined &&
      `SLACK_SIGNING_SECRET is missing: copy it from ${WHERE_TOKENS}, Basic Information; or set SLACK_APP_TOKEN to use Socket Mode`,
    REDIS_URL !== undefined &&
      STATE_KEY === undefined &&
      'STATE_KEY is missing: a shared Redis needs it; make one with `openssl rand -base64 32`',
    // In Socket Mode only one of the two ports is used; port 0 means any free port.
    SLACK_APP_TOKEN === undefined &&
      OPS_PORT !== '0' &&
      OPS_PORT === PORT &&
      'OPS_PORT is the same as PORT: choose another one, or leave it out to serve all on PORT',
    variables.NODE_TLS_REJECT_UNAUTHORIZED === '0' && UNVERIFIED,
  ];
  return problems.filter((problem) => problem !== false);
}

/** The settings as texts. Empty settings are left out. */
type Values = Readonly<Partial<Record<Variable, string>>>;

/** The configuration. Durations are milliseconds; URLs have no trailing slash. */
export type Config = ReturnType<typeof assemble>;

/** Converts the settings to the form that the parts of the bot use. */
function assemble(settings: Settings, values: Values) {
  const appToken = settings.SLACK_APP_TOKEN;
  return {
    port: settings.PORT,
    opsPort: settings.OPS_PORT,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    auditFile: settings.AUDIT_FILE,
    contact: settings.CONTACT,
    admins: settings.ADMINS,
    commandsPerMinute: settings.COMMANDS_PER_MINUTE,
    serviceConcurrency: settings.SERVICE_CONCURRENCY,
    waitLimitMs: settings.WAIT_LIMIT_MINUTES,
    unfurl: settings.UNFURL,
    ticketUrl: settings.TICKET_URL,
    kevFile: settings.KEV_FILE,
    retention: { resultMs: settings.RESULT_MINUTES, historyMs: settings.HISTORY_DAYS },
    slack: {
      botToken: settings.SLACK_BOT_TOKEN,
      apiUrl: settings.SLACK_API_URL,
      transport:
        appToken === undefined
          ? ({ kind: 'http', signingSecret: settings.SLACK_SIGNING_SECRET } as const)
          : ({ kind: 'socket', appToken } as const),
    },
    access: {
      channels: settings.ALLOWED_CHANNELS,
      userGroups: settings.ALLOWED_USERGROUPS,
      apps: settings.ALLOWED_APPS,
      guests: settings.ALLOW_GUESTS,
      sharedChannels: settings.ALLOW_SHARED_CHANNELS,
    },
    service: {
      baseUrl: settings.DIAGNOSTICS_BASE_URL,
      authUrl: settings.DIAGNOSTICS_AUTH_URL,
      loginUrl: settings.DIAGNOSTICS_LOGIN_URL ?? settings.DIAGNOSTICS_AUTH_URL,
      vendor: settings.DIAGNOSTICS_VENDOR,
      userId: settings.DIAGNOSTICS_USER_ID,
      userSecret: settings.DIAGNOSTICS_USER_SECRET,
      /** Tells the service's operators which program sends the requests. */
      userAgent: `snapshot-bot/${VERSION} (Slack bot for snapshot diagnostics)`,
    },
    storage: storageOf(settings),
    proxies: { httpProxy: settings.HTTP_PROXY, httpsProxy: settings.HTTPS_PROXY, noProxy: settings.NO_PROXY },
    /** Texts that must never appear in a log. */
    secrets: secretsOf(values),
  };
}

function storageOf({ REDIS_URL: url, STATE_KEY: stateKeys, DATA_DIR }: Settings) {
  const [first, ...others] = stateKeys;
  return url === undefined || first === undefined
    ? ({ kind: 'sqlite', dataDir: resolve(DATA_DIR), stateKeys } as const)
    : ({ kind: 'redis', url, stateKeys: [first, ...others] } as const);
}

/** Every secret text, including each key of a list and the password in a URL. The account's id is not a secret. */
function secretsOf(values: Values): string[] {
  const { STATE_KEY = '', REDIS_URL, HTTP_PROXY, HTTPS_PROXY } = values;
  const named = SECRETS.flatMap((name) => (name === 'DIAGNOSTICS_USER_ID' ? [] : (values[name] ?? [])));
  const keys = STATE_KEY.split(',').map((key) => key.trim());
  const addresses = [REDIS_URL, HTTP_PROXY, HTTPS_PROXY];
  const passwords = addresses.map((address) => URL.parse(address ?? '')?.password ?? '');
  const plain = passwords.map((password) => querystring.unescape(password));
  return [...named, ...keys, ...passwords, ...plain].filter((secret) => secret !== '');
}
