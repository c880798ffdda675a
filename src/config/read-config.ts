import { resolve } from 'node:path';
import type { z } from 'zod';
import type { ProxySettings } from '../service/transport.ts';
import type { SlackSettings } from '../slack/front/slack-app.ts';
import type { StorageSettings } from '../storage/backend/storage.ts';
import { SETTINGS, WHERE_TOKENS } from './settings.ts';

export type Variables = Readonly<Record<string, string | undefined>>;
type Values = Readonly<Record<string, string>>;

type Name = keyof typeof SETTINGS;
export type Variable = (typeof SETTINGS)[Name]['variable'];
/** The settings as they are used, by their names in the configuration. */
type Settings = { readonly [Key in Name]: z.output<(typeof SETTINGS)[Key]['schema']> };

const ALL = Object.entries(SETTINGS);
export const VARIABLES: readonly Variable[] = ALL.map(([, { variable }]) => variable);
/** Variables that may come from a file. */
export const SECRETS = ALL.flatMap(([, { variable, isSecret }]) => (isSecret ? [variable] : []));

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
export function readConfig(variables: Variables, readFile: (path: string) => string): Config {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  const read = ALL.map(([name, { variable, schema, isSecret }]) => {
    const value = valueFor(variable, isSecret, variables, readFile, problems) || undefined;
    if (value !== undefined) values[variable] = value;
    const { data, error } = schema.safeParse(value);
    problems.push(...(error?.issues ?? []).map(({ message }) => `${variable} ${message}`));
    return [name, data];
  });
  // The schemas say what each holds where nothing is wrong; a record that is put together has no type for each name.
  const settings = Object.fromEntries(read) as Settings;
  problems.push(...together(values, settings), ...proxyProblems(variables));
  if (variables.NODE_TLS_REJECT_UNAUTHORIZED === '0') problems.push(UNVERIFIED);
  if (problems.length > 0) throw new ConfigProblems(problems);
  return assemble(settings, values, variables);
}

function valueFor(
  name: Variable,
  isSecret: boolean,
  variables: Variables,
  readFile: (path: string) => string,
  problems: string[],
): string | undefined {
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
function together(values: Values, { appToken, port, opsPort }: Partial<Settings>): string[] {
  const { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, REDIS_URL, STATE_KEY } = values;
  const problems: string[] = [];
  if (SLACK_APP_TOKEN === undefined && SLACK_SIGNING_SECRET === undefined)
    problems.push(
      `SLACK_SIGNING_SECRET is missing: copy it from ${WHERE_TOKENS}, Basic Information; or set SLACK_APP_TOKEN to use Socket Mode`,
    );
  if (REDIS_URL !== undefined && STATE_KEY === undefined)
    problems.push('STATE_KEY is missing: a shared Redis needs it; make one with `openssl rand -base64 32`');
  // Over Socket Mode only one of them is listened on; 0 is any free port.
  if (appToken === undefined && opsPort !== undefined && opsPort !== 0 && opsPort === port)
    problems.push('OPS_PORT is the same as PORT: choose another one, or leave it out to serve all on PORT');
  return problems;
}

const PROXY_SCHEME = /^(?:https?|socks5?):$/;

/** What is wrong with the proxies that would be used: an address without its scheme is read as something else. */
function proxyProblems(variables: Variables): string[] {
  return ['http_proxy', 'https_proxy'].flatMap((name) => {
    const address = variables[name] ?? variables[name.toUpperCase()];
    if (!address || PROXY_SCHEME.test(URL.parse(address)?.protocol ?? '')) return [];
    return `${name.toUpperCase()} is no address of a proxy: write it with its scheme, such as http://proxy.example.com:3128`;
  });
}

export type Config = ReturnType<typeof assemble>;

function assemble(checked: Settings, values: Values, variables: Variables) {
  const { botToken, appToken, signingSecret, apiUrl, redisUrl, dataDir, stateKeys, ...others } = checked;
  const { baseUrl, authUrl, loginUrl, vendor, userId, userSecret, ...rest } = others;
  const { channels, userGroups, guests, sharedChannels, resultMs, historyMs, ...plain } = rest;
  const proxies: ProxySettings = {
    httpProxy: variables.http_proxy ?? variables.HTTP_PROXY,
    httpsProxy: variables.https_proxy ?? variables.HTTPS_PROXY,
    noProxy: variables.no_proxy ?? variables.NO_PROXY,
  };
  const transport: SlackSettings['transport'] =
    appToken === undefined ? { kind: 'http', signingSecret } : { kind: 'socket', appToken };
  return {
    ...plain,
    slack: { botToken, apiUrl, transport },
    access: { channels, userGroups, guests, sharedChannels },
    service: { baseUrl, authUrl, loginUrl, vendor, userId, userSecret },
    storage: storageSettings(redisUrl, dataDir, stateKeys),
    retention: { resultMs, historyMs },
    proxies,
    /** The secrets, which must never appear in a log. */
    secrets: secretsOf(values, proxies),
  };
}

/** A Redis if there is one, else a file; `together` has made sure that a Redis comes with a key. */
function storageSettings(
  url: string | undefined,
  dataDir: string,
  stateKeys: readonly Uint8Array[],
): StorageSettings {
  const [first, ...others] = stateKeys;
  return url === undefined || first === undefined
    ? { kind: 'sqlite', dataDir: resolve(dataDir), stateKeys }
    : { kind: 'redis', url, stateKeys: [first, ...others] };
}

/** Every secret text: each member of a list, and the password in a URL too. */
function secretsOf(values: Values, { httpProxy, httpsProxy }: ProxySettings): string[] {
  const named = SECRETS.filter((name) => name !== 'DIAGNOSTICS_USER_ID').flatMap(
    (name) => values[name] ?? [],
  );
  const keys = values.STATE_KEY?.split(',').map((key) => key.trim()) ?? [];
  const addresses = [values.REDIS_URL, httpProxy, httpsProxy];
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
