import { z } from 'zod';

export const WHERE_TOKENS = 'https://api.slack.com/apps, your app';
const BOT_TOKEN = `copy the Bot User OAuth Token (xoxb-…) from ${WHERE_TOKENS}, OAuth & Permissions`;
const APP_TOKEN = `copy an App-Level Token (xapp-…) from ${WHERE_TOKENS}, Basic Information`;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function needed(repair: string) {
  return z.string({ error: `is missing: ${repair}` });
}

/** A token of Slack. A token with an unknown prefix is left for Slack to judge. */
function token(wrongKinds: RegExp, repair: string) {
  return needed(repair).refine((value) => !wrongKinds.test(value), `is a token of another kind: ${repair}`);
}

/** Scheme, host, port and path. `URL` alone drops line breaks and reads backslashes as slashes. */
const PLAIN_ADDRESS = /^https?:\/\/[\w.~%:/[\]-]+$/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function plainAddress(value: string): URL | undefined {
  return PLAIN_ADDRESS.test(value) ? (URL.parse(value) ?? undefined) : undefined;
}

function withoutEndSlashes(address: string): string {
  return address.endsWith('/') ? withoutEndSlashes(address.slice(0, -1)) : address;
}

/** The https address of an upstream. `added`: the path that the bot itself puts behind the address. */
function httpsUrl(what: string, added?: string) {
  const repair = `set it to the https address of ${what}`;
  return needed(repair)
    .refine(
      (value) => plainAddress(value)?.protocol === 'https:',
      `must be a plain https address: ${repair}, without user, password, query, fragment or spaces`,
    )
    .refine(
      (value) => added === undefined || !value.includes(added),
      `must end before ${added}: the bot adds this path itself`,
    )
    .transform(withoutEndSlashes);
}

const slackApiUrl = z
  .string()
  .refine((value) => {
    const url = plainAddress(value);
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  }, 'must be an https address (http is for a loopback address only): leave it out to use Slack itself')
  .transform((value) => (value.endsWith('/') ? value : `${value}/`))
  .default('https://slack.com/api/');

/** 32 bytes in base64, as `openssl rand -base64 32` prints them. */
const KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

const stateKeys = list()
  .refine(
    (keys) => keys.every((key) => KEY.test(key)),
    'holds something that is not 32 bytes in base64: make one with `openssl rand -base64 32`',
  )
  .transform((keys) => keys.map((key) => new Uint8Array(Buffer.from(key, 'base64'))))
  .default([]);

function list() {
  return z.string().transform((value) => value.split(',').flatMap((part) => part.trim() || []));
}

/** Ids of one kind, separated by commas. `without` says what it means to leave the setting out. */
function ids(kind: RegExp, repair: string, without = 'to restrict nothing') {
  return list()
    .refine((all) => all.length > 0, `is set, but holds no id: leave it out ${without}`)
    .refine((all) => all.every((id) => kind.test(id)), `holds something that is not an id: ${repair}`)
    .default([]);
}

function positive(problem: string) {
  return z.coerce.number(problem).positive('must be more than 0');
}

/** A length of time in the setting's unit; the configuration has it in milliseconds. */
function duration(unit: string, unitMs: number, most: number, usual: number) {
  return positive(`must be a number of ${unit}`)
    .max(most, `must be at most ${most}`)
    .transform((length) => length * unitMs)
    .default(usual * unitMs);
}

function whole(problem: string, least: number, most: number) {
  return z.coerce.number(problem).int(problem).min(least, problem).max(most, problem);
}

const port = whole('must be a port (0–65535)', 0, 65_535);

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`).default(words[0]);
}

const yesOrNo = z
  .enum(['yes', 'no', 'true', 'false'], 'must be yes or no')
  .transform((word) => word === 'yes' || word === 'true')
  .default(false);

const redisUrl = z
  .string()
  .refine(
    (value) => /^rediss?:\/\/[!-~]+$/.test(value) && URL.canParse(value),
    'is not a Redis address: redis://host:6379, or rediss://… for TLS, special characters as %XX; for Sentinel, the address of a proxy before it',
  );

const contact = z
  .string()
  .regex(/^[^\p{Cc}<>]{1,80}$/u, 'must be one line of at most 80 characters without < and >')
  .default('your bot admin');

const TICKET =
  'must be an https address of at most 500 characters with {title}, {text}, {snapshot} or {host}, once each, behind its ?: ' +
  'such as https://tickets.example.com/new?title={title}&body={text}';
/** Placeholders stand only after ? or #: words of a device before it could change where the link leads. */
const TICKET_FORM = /^https:\/\/[\w.~%:/[\]-]+[?#](?:[!-z|~]|\{(?:title|text|snapshot|host)\})+$/;
const ticketUrl = z
  .string()
  .refine((value) => value.length <= 500 && TICKET_FORM.test(value) && URL.canParse(value), TICKET);

const vendor = needed(
  "set it to the vendor's word in the media type application/vnd.<vendor>.diagnostics.api",
).regex(/^[\w.+-]{1,60}$/, 'must be one word of letters, digits, dots, plus and minus signs');

const MEMBER = 'member ids begin with U (open the profile, ⋯, Copy member ID)';
const CHANNEL = 'channel ids begin with C (see the end of the channel’s details)';
const APP =
  'app ids begin with A (see Basic Information of the app; of a workflow, the app_id of its messages)';
const GROUP = 'user group ids begin with S (see the end of the link to the group)';
const REQUESTS = 'must be a whole number from 1 to 1000: how many requests the service may get at once';
const ACCOUNT = 'set it to the account that the bot uses; accounts are free, see DIAGNOSTICS_LOGIN_URL';

/** Every setting by its variable: what it may hold, its default, and what is said of a wrong value, never the value. */
export const SETTINGS = z.object({
  SLACK_BOT_TOKEN: token(/^xap|^xoxp-/, BOT_TOKEN),
  SLACK_SIGNING_SECRET: z.string().default(''),
  SLACK_APP_TOKEN: token(/^xox[bp]-/, APP_TOKEN).optional(),
  SLACK_API_URL: slackApiUrl,
  PORT: port.default(3_000),
  /** The port for health and metrics; without it they are on `PORT`. */
  OPS_PORT: port.optional(),
  DIAGNOSTICS_BASE_URL: httpsUrl('the diagnostics service', '/snapshot-analyzer'),
  DIAGNOSTICS_AUTH_URL: httpsUrl('the login servers of the diagnostics service', '/auth/pub'),
  DIAGNOSTICS_LOGIN_URL: httpsUrl('the page where people log in to the service by hand'),
  DIAGNOSTICS_VENDOR: vendor,
  DIAGNOSTICS_USER_ID: needed(ACCOUNT),
  DIAGNOSTICS_USER_SECRET: needed('set it to the password of that account'),
  SERVICE_CONCURRENCY: whole(REQUESTS, 1, 1_000).default(16),
  REDIS_URL: redisUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  STATE_KEY: stateKeys,
  WAIT_LIMIT_MINUTES: duration('minutes', MINUTE_MS, 1_440, 60),
  ALLOWED_CHANNELS: ids(/^[CGD][A-Z0-9]{5,}$/, CHANNEL),
  ALLOWED_USERGROUPS: ids(/^S[A-Z0-9]{5,}$/, GROUP),
  /** Other apps whose mentions are answered. */
  ALLOWED_APPS: ids(/^A[A-Z0-9]{5,}$/, APP, 'to answer no app'),
  RESULT_MINUTES: duration('minutes', MINUTE_MS, 1_440, 15),
  /** As long as the service keeps a snapshot, because a message can be refreshed for that long. */
  HISTORY_DAYS: duration('days', DAY_MS, 365, 30),
  /** How refusals and faults name the operator, as it reads after "Ask". */
  CONTACT: contact,
  ADMINS: ids(/^[UW][A-Z0-9]{2,20}$/, MEMBER, 'if nobody may ask for the status'),
  LOG_FORMAT: oneOf(['json', 'pretty']),
  LOG_LEVEL: oneOf(['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent']),
  ALLOW_GUESTS: yesOrNo,
  COMMANDS_PER_MINUTE: positive('must be a number').default(30),
  /** The file of the audit; `-` is standard output. */
  AUDIT_FILE: z.string().optional(),
  ALLOW_SHARED_CHANNELS: yesOrNo,
  UNFURL: oneOf(['yes', 'no']),
  /** CISA's catalogue of known exploited vulnerabilities, a file that the operator renews. */
  KEV_FILE: z.string().optional(),
  /** The form of a ticket, which a link opens filled in. */
  TICKET_URL: ticketUrl.optional(),
});

export type Settings = z.output<typeof SETTINGS>;
export type Variable = keyof Settings;
export const VARIABLES = Object.keys(SETTINGS.shape) as readonly Variable[];

/** Settings that may come from a file: `X_FILE` names it. */
export const SECRETS = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'DIAGNOSTICS_USER_ID',
  'DIAGNOSTICS_USER_SECRET',
  'REDIS_URL',
  'STATE_KEY',
] as const satisfies readonly Variable[];
