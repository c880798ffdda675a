import { isAbsolute, resolve } from 'node:path';
import { type Environment, environment, SECRETS, WHERE_TOKENS } from './environment.ts';
import type { LogLevelName } from './ops/logging.ts';
import type { ServiceSettings } from './service/service-settings.ts';
import type { ProxySettings } from './service/transport.ts';
import type { AccessRules } from './slack/access.ts';
import type { SlackSettings } from './slack/slack-settings.ts';
import type { StorageSettings } from './storage/open-storage.ts';

/** Everything that the bot is told from outside, checked. */
export type Config = {
  readonly slack: SlackSettings;
  readonly port: number;
  readonly access: AccessRules;
  readonly service: Omit<ServiceSettings, 'userAgent'>;
  readonly storage: StorageSettings;
  readonly waitLimitMs: number;
  readonly logLevel: LogLevelName;
  readonly proxies: ProxySettings;
  /** What must never be seen in a log. */
  readonly secrets: readonly string[];
};

/** What is wrong with the configuration: a line for each problem, with its repair and without a value. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `the configuration has ${problems.length} problem(s):\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/**
 * Reads the configuration out of environment variables. `readFile` gives the text of a file that an `X_FILE` names.
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
  problems.push(...together(values));
  if (!parsed.success || problems.length > 0) throw new ConfigProblems(problems);
  return assemble(parsed.data, values, variables);
}

function valueFor(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  problems: string[],
): string | undefined {
  const file = SECRETS.some((secret) => secret === name) ? variables[`${name}_FILE`] : undefined;
  if (file === undefined || file === '') return variables[name]?.trim();
  if (variables[name]) problems.push(`${name} and ${name}_FILE are both set: keep one of them`);
  try {
    return readFile(file).trim();
  } catch {
    problems.push(`${name}_FILE names a file that can't be read: check the path and its permissions`);
    return undefined;
  }
}

/** What one variable demands of another. */
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
      entrance: appToken === undefined ? { kind: 'http', signingSecret } : { kind: 'socket', appToken },
    },
    port: checked.PORT,
    access: { channels: checked.ALLOWED_CHANNELS, userGroups: checked.ALLOWED_USERGROUPS },
    service: {
      baseUrl: checked.DIAGNOSTICS_BASE_URL,
      authUrl: checked.DIAGNOSTICS_AUTH_URL,
      loginUrl: checked.DIAGNOSTICS_LOGIN_URL,
      vendor: checked.DIAGNOSTICS_VENDOR,
      userId: checked.DIAGNOSTICS_USER_ID,
      userSecret: checked.DIAGNOSTICS_USER_SECRET,
    },
    storage: {
      redisUrl: checked.REDIS_URL,
      dataDir: isAbsolute(checked.DATA_DIR) ? checked.DATA_DIR : resolve(checked.DATA_DIR),
      stateKeys: checked.STATE_KEY,
    },
    waitLimitMs: checked.WAIT_LIMIT_MINUTES * 60_000,
    logLevel: checked.LOG_LEVEL,
    proxies: {
      httpProxy: variables.http_proxy ?? variables.HTTP_PROXY,
      httpsProxy: variables.https_proxy ?? variables.HTTPS_PROXY,
      noProxy: variables.no_proxy ?? variables.NO_PROXY,
    },
    secrets: SECRETS.filter((name) => name !== 'DIAGNOSTICS_USER_ID').flatMap(
      (name) => values[name]?.split(',') ?? [],
    ),
  };
}
