import { resolve } from 'node:path';
import querystring from 'node:querystring';
import { SECRETS, type Settings, type Variable } from './settings.ts';

/** The settings as texts. Empty settings are left out. */
export type Values = Readonly<Partial<Record<Variable, string>>>;

/** The configuration. Durations are milliseconds; URLs have no trailing slash. */
export type Config = ReturnType<typeof assemble>;

/** Converts the settings to the form that the parts of the bot use. */
export function assemble(settings: Settings, values: Values) {
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
    },
    storage: storageOf(settings),
    proxies: proxiesOf(settings),
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

function proxiesOf({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy }: Settings) {
  return { httpProxy, httpsProxy, noProxy };
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
