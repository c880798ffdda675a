import { resolve } from 'node:path';
import type { Retention } from './core/retention.ts';
import { type Environment, environment, SECRETS, WHERE_TOKENS } from './environment.ts';
import type { LogFormat, LogLevelName } from './ops/logging.ts';
import type { ServiceSettings } from './service/parts.ts';
import type { ProxySettings } from './service/transport.ts';
import type { AccessRules } from './slack/access/access.ts';
import type { SlackSettings } from './slack/connection/slack-settings.ts';
import type { StorageSettings } from './storage/backend/storage.ts';

/** The checked configuration of the bot. */
export type Config = {
  readonly slack: SlackSettings;
  readonly port: number;
  /** The port for health and metrics; undefined: on `port`. */
  readonly opsPort: number | undefined;
  /** The collector that traces are sent to, if any. */
  readonly otlpEndpoint: string | undefined;
  readonly access: AccessRules;
  /** Ids of the users who may ask for the bot's status. */
  readonly admins: readonly string[];
  /** Whom refusals and fault messages name, as it reads after "Ask". */
  readonly contact: string;
  readonly service: Omit<ServiceSettings, 'userAgent'>;
  /** The most simultaneous requests to the service. */
  readonly serviceConcurrency: number;
  readonly storage: StorageSettings;
  /** How many requests one person may make in a minute. */
  readonly commandsPerMinute: number;
  /** The file of the audit; `-` is standard output. */
  readonly auditFile: string | undefined;
  readonly waitLimitMs: number;
  readonly retention: Retention;
  readonly logLevel: LogLevelName;
  readonly logFormat: LogFormat;
  readonly proxies: ProxySettings;
  /** The secrets, which must never appear in a log. */
  readonly secrets: readonly string[];
};

/** What is wrong with the configuration: a line for each problem, with its repair and without a value. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(`the configuration has ${many}:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

const UNVERIFIED =
  'NODE_TLS_REJECT_UNAUTHORIZED is 0, which sends the password to whoever answers: remove it, and name the authority ' +
  'that signed the certificate in NODE_EXTRA_CA_CERTS';

/**
 * Reads the configuration from environment variables. `readFile` gives the text of a file that an `X_FILE` names.
 * Throws `ConfigProblems`.
 */
export function readConfig(
  variables: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Config {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(environment.shape)) {
    const value = valueFor(name, variables, readFile, problems);
    if (value !== undefined && value !== '') values[name] = value;
  }
  const parsed = environment.safeParse(values);
  problems.push(...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`));
  problems.push(...together(values), ...proxyProblems(variables));
  if (variables.NODE_TLS_REJECT_UNAUTHORIZED === '0') problems.push(UNVERIFIED);
  if (!parsed.success || problems.length > 0) throw new ConfigProblems(problems);
  return assemble(parsed.data, values, variables);
}

function valueFor(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  problems: string[],
): string | undefined {
  const isSecret = SECRETS.some((secret) => secret === name);
  const file = isSecret ? variables[`${name}_FILE`] : undefined;
  if (file === undefined || file === '') {
    return plainValue(name, variables[name]?.trim() ?? '', isSecret, problems);
  }
  if (variables[name]) problems.push(`${name} and ${name}_FILE are both set: keep one of them`);
  try {
    return readFile(file).trim();
  } catch {
    problems.push(`${name}_FILE names a file that can't be read: check the path and its permissions`);
    return undefined;
  }
}

const QUOTED = /^(["'`])(.*)\1$/s;
const COMMENT = /\s#\s/;

/**
 * Some programs take quotes and comments out of such a file, others hand them on: so a value may have neither. Gives the
 * value without them, so that nothing else is said of it.
 */
function plainValue(name: string, value: string, isSecret: boolean, problems: string[]): string {
  const besides = isSecret
    ? `; if they belong to the value, put it into a file and name that in ${name}_FILE`
    : '';
  if (COMMENT.test(value)) problems.push(`${name} holds a comment: put that on a line of its own${besides}`);
  const [, , quoted] = QUOTED.exec(value) ?? [];
  if (quoted !== undefined) problems.push(`${name} is in quotes: write it without them${besides}`);
  return quoted ?? value.split(COMMENT, 1)[0] ?? value;
}

/** Rules that involve two variables. */
function together(values: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  if (values.SLACK_APP_TOKEN === undefined && values.SLACK_SIGNING_SECRET === undefined) {
    problems.push(
      `SLACK_SIGNING_SECRET is missing: copy it from ${WHERE_TOKENS}, Basic Information; or set SLACK_APP_TOKEN to use Socket Mode`,
    );
  }
  if (values.REDIS_URL !== undefined && values.STATE_KEY === undefined) {
    problems.push('STATE_KEY is missing: a shared Redis needs it; make one with `openssl rand -base64 32`');
  }
  return problems;
}

const PROXY_SCHEME = /^(?:https?|socks5?):$/;

/** What is wrong with the proxies that would be used: an address without its scheme is read as something else. */
function proxyProblems(variables: Readonly<Record<string, string | undefined>>): string[] {
  return ['http_proxy', 'https_proxy'].flatMap((name) => {
    const address = variables[name] ?? variables[name.toUpperCase()];
    if (!address || PROXY_SCHEME.test(URL.parse(address)?.protocol ?? '')) return [];
    return `${name.toUpperCase()} is no address of a proxy: write it with its scheme, such as http://proxy.example.com:3128`;
  });
}

function assemble(
  checked: Environment,
  values: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string | undefined>>,
): Config {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = '' } = checked;
  return {
    slack: {
      botToken: checked.SLACK_BOT_TOKEN,
      apiUrl: checked.SLACK_API_URL,
      transport: appToken === undefined ? { kind: 'http', signingSecret } : { kind: 'socket', appToken },
    },
    port: checked.PORT,
    opsPort: checked.OPS_PORT,
    otlpEndpoint: checked.OTEL_EXPORTER_OTLP_ENDPOINT,
    admins: checked.ADMINS,
    contact: checked.CONTACT,
    access: accessRules(checked),
    service: {
      baseUrl: checked.DIAGNOSTICS_BASE_URL,
      authUrl: checked.DIAGNOSTICS_AUTH_URL,
      loginUrl: checked.DIAGNOSTICS_LOGIN_URL,
      vendor: checked.DIAGNOSTICS_VENDOR,
      userId: checked.DIAGNOSTICS_USER_ID,
      userSecret: checked.DIAGNOSTICS_USER_SECRET,
    },
    serviceConcurrency: checked.SERVICE_CONCURRENCY,
    storage: storageSettings(checked),
    commandsPerMinute: checked.COMMANDS_PER_MINUTE,
    auditFile: checked.AUDIT_FILE,
    waitLimitMs: checked.WAIT_LIMIT_MINUTES * 60_000,
    retention: {
      resultMs: checked.RESULT_MINUTES * 60_000,
      historyMs: checked.HISTORY_DAYS * 24 * 3_600_000,
    },
    logLevel: checked.LOG_LEVEL,
    logFormat: checked.LOG_FORMAT,
    proxies: {
      httpProxy: variables.http_proxy ?? variables.HTTP_PROXY,
      httpsProxy: variables.https_proxy ?? variables.HTTPS_PROXY,
      noProxy: variables.no_proxy ?? variables.NO_PROXY,
    },
    secrets: secretsOf(values, variables),
  };
}

/** A Redis if there is one, else a file; `together` has made sure that a Redis comes with a key. */
function storageSettings({ REDIS_URL: url, DATA_DIR: dataDir, STATE_KEY }: Environment): StorageSettings {
  const [first, ...others] = STATE_KEY;
  return url === undefined || first === undefined
    ? { kind: 'sqlite', dataDir: resolve(dataDir), stateKeys: STATE_KEY }
    : { kind: 'redis', url, stateKeys: [first, ...others] };
}

/** Every secret text: each member of a list, and the password in a URL too. */
function secretsOf(
  values: Readonly<Record<string, string>>,
  { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY }: Readonly<Record<string, string | undefined>>,
): string[] {
  const named = SECRETS.filter((name) => name !== 'DIAGNOSTICS_USER_ID').flatMap(
    (name) => values[name] ?? [],
  );
  const keys = values.STATE_KEY?.split(',').map((key) => key.trim()) ?? [];
  const addresses = [values.REDIS_URL, http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY];
  return [...named, ...keys, ...addresses.flatMap(passwordIn)].filter((secret) => secret !== '');
}

function passwordIn(address: string | undefined): string[] {
  const written = URL.parse(address ?? '')?.password ?? '';
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}

function accessRules(checked: Environment): AccessRules {
  return {
    channels: checked.ALLOWED_CHANNELS,
    userGroups: checked.ALLOWED_USERGROUPS,
    guests: checked.ALLOW_GUESTS,
    sharedChannels: checked.ALLOW_SHARED_CHANNELS,
  };
}
