import { z } from 'zod';

export const WHERE_TOKENS = 'https://api.slack.com/apps, your app';
const BOT_TOKEN = `copy the Bot User OAuth Token (xoxb-…) from ${WHERE_TOKENS}, OAuth & Permissions`;
const APP_TOKEN = `copy an App-Level Token (xapp-…) from ${WHERE_TOKENS}, Basic Information`;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function needed(repair: string) {
  return z.string({ error: `is missing: ${repair}` });
}

/** A Slack token: visible ASCII, without the prefix of another kind of token. Slack checks the rest. */
function token(wrongKinds: RegExp, repair: string) {
  return needed(repair)
    .regex(/^[!-~]*$/, `holds a sign that no token has: ${repair}`)
    .refine((value) => !wrongKinds.test(value), `is a token of another kind: ${repair}`);
}

/** Matches an https URL with host, port and path. `URL` alone would drop line breaks and accept backslashes. */
const HTTPS = /^https:\/\/[\w.~%:/[\]-]+$/;
const ON_LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/[\w./-]*)?$/;

function isHttps(value: string): boolean {
  return HTTPS.test(value) && URL.canParse(value);
}

/** The https URL of an upstream. `added`: the path that the bot appends to the URL. */
function httpsUrl(what: string, added = '?') {
  const repair = `set it to the https address of ${what}`;
  return needed(repair)
    .refine(
      isHttps,
      `must be a plain https address: ${repair}, without user, password, query, fragment or spaces`,
    )
    .refine((value) => !value.includes(added), `must end before ${added}: the bot adds this path itself`)
    .transform((value) => value.replace(/\/{1,9}$/, ''));
}

const slackApiUrl = z
  .string()
  .refine(
    (value) => isHttps(value) || ON_LOOPBACK.test(value),
    'must be an https address (http is for a loopback address only): leave it out to use Slack itself',
  )
  .transform((value) => (value.endsWith('/') ? value : `${value}/`))
  .default('https://slack.com/api/');

function list() {
  return z.string().transform((value) => value.split(',').flatMap((part) => part.trim() || []));
}

/** Matches 32 bytes in base64, as `openssl rand -base64 32` prints them. */
const KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

const stateKeys = list()
  .refine(
    (keys) => keys.every((key) => KEY.test(key)),
    'holds something that is not 32 bytes in base64: make one with `openssl rand -base64 32`',
  )
  .transform((keys) => keys.map((key) => new Uint8Array(Buffer.from(key, 'base64'))))
  .default([]);

/** Ids of one kind, separated by commas. */
function ids(kind: RegExp, repair: string) {
  return list()
    .refine((all) => all.length > 0, 'is set, but holds no id: leave it out, or name one')
    .refine((all) => all.every((id) => kind.test(id)), `holds something that is not an id: ${repair}`)
    .default([]);
}

/** A positive number of `unit`; `factor` converts it for the configuration. */
function amount(unit: string, factor: number, most: number, usual: number) {
  return z.coerce
    .number(`must be a number of ${unit}`)
    .positive('must be more than 0')
    .max(most, `must be at most ${most}`)
    .transform((value) => value * factor)
    .default(usual * factor);
}

function whole(problem: string, least: number, most: number) {
  return z.coerce.number(problem).int(problem).min(least, problem).max(most, problem);
}

const port = whole('must be a port (0–65535)', 0, 65_535);

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

function yesOrNo(usual: boolean) {
  return z
    .enum(['yes', 'no', 'true', 'false'], 'must be yes or no')
    .transform((word) => word === 'yes' || word === 'true')
    .default(usual);
}

const redisUrl = z
  .string()
  .refine(
    (value) => /^rediss?:\/\/[!-.0->@-~]+(?:\/\d*)?(?:\?[!-~]*)?$/.test(value) && URL.canParse(value),
    'is not a Redis address: redis://host:6379, with /1 for its database 1, or rediss://… for TLS, special characters as %XX; for Sentinel, the address of a proxy before it',
  );

const proxy = z
  .string()
  .refine(
    (value) => /^(?:https?|socks5?):$/.test(URL.parse(value)?.protocol ?? ''),
    'is not the address of a proxy: write it with its scheme, such as http://proxy.example.com:3128',
  );

const contact = z
  .string()
  .regex(/^[^\p{Cc}<>]{1,80}$/u, 'must be one line of at most 80 characters without < and >')
  .default('your bot admin');

const TICKET =
  'must be an https address of at most 500 characters with {title}, {text}, {snapshot} or {host}, once each, behind its ?: ' +
  'such as https://tickets.example.com/new?title={title}&body={text}';
/** Allows placeholders only after ? or #: before these signs, a device's text could change the link's target. */
const TICKET_FORM = /^https:\/\/[\w.~%:/[\]-]+[?#](?:[!-z|~]|\{(?:title|text|snapshot|host)\})+$/;
const ticketUrl = z
  .string()
  .refine((value) => value.length <= 500 && TICKET_FORM.test(value) && URL.canParse(value), TICKET);

const VENDOR = "set it to the vendor's word in the media type application/vnd.<vendor>.diagnostics.api";
const VENDOR_FORM = 'must be one word of letters, digits, dots, plus and minus signs';
const MEMBER = 'member ids begin with U (open the profile, ⋯, Copy member ID)';
const CHANNEL = 'channel ids begin with C (see the end of the channel’s details)';
const APP =
  'app ids begin with A (see Basic Information of the app; of a workflow, the app_id of its messages)';
const GROUP = 'user group ids begin with S (see the end of the link to the group)';
const REQUESTS = 'must be a whole number from 1 to 1000: how many requests the service may get at once';
const ACCOUNT =
  'set it to the account that the bot uses; accounts are free, at the login page of the service';

/** Every setting: its allowed values, its default, and the message for a wrong value, which never quotes it. */
export const SETTINGS = z.object({
  SLACK_BOT_TOKEN: token(/^xap|^xoxp-/, BOT_TOKEN),
  SLACK_SIGNING_SECRET: z.string().default(''),
  SLACK_APP_TOKEN: token(/^xox[bp]-/, APP_TOKEN).optional(),
  SLACK_API_URL: slackApiUrl,
  PORT: port.default(3_000),
  OPS_PORT: port.optional(),
  DIAGNOSTICS_BASE_URL: httpsUrl('the diagnostics service', '/snapshot-analyzer'),
  DIAGNOSTICS_AUTH_URL: httpsUrl('the login servers of the diagnostics service', '/auth/pub'),
  DIAGNOSTICS_LOGIN_URL: httpsUrl('the page where people log in to the service by hand').optional(),
  DIAGNOSTICS_VENDOR: needed(VENDOR).regex(/^[\w.+-]{1,60}$/, VENDOR_FORM),
  DIAGNOSTICS_USER_ID: needed(ACCOUNT),
  DIAGNOSTICS_USER_SECRET: needed('set it to the password of that account'),
  SERVICE_CONCURRENCY: whole(REQUESTS, 1, 1_000).default(16),
  REDIS_URL: redisUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  STATE_KEY: stateKeys,
  WAIT_LIMIT_MINUTES: amount('minutes', MINUTE_MS, 1_440, 60),
  ALLOWED_CHANNELS: ids(/^[CGD][A-Z0-9]{5,}$/, CHANNEL),
  ALLOWED_USERGROUPS: ids(/^S[A-Z0-9]{5,}$/, GROUP),
  ALLOWED_APPS: ids(/^A[A-Z0-9]{5,}$/, APP),
  ALLOW_GUESTS: yesOrNo(false),
  ALLOW_SHARED_CHANNELS: yesOrNo(false),
  COMMANDS_PER_MINUTE: amount('commands', 1, 1_000_000, 30),
  RESULT_MINUTES: amount('minutes', MINUTE_MS, 1_440, 15),
  /** The default is how long the service keeps snapshots: a message can be refreshed until then. */
  HISTORY_DAYS: amount('days', DAY_MS, 365, 30),
  CONTACT: contact,
  ADMINS: ids(/^[UW][A-Z0-9]{2,20}$/, MEMBER),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], 'must be json or pretty').default('json'),
  AUDIT_FILE: z.string().optional(),
  UNFURL: yesOrNo(true),
  KEV_FILE: z.string().optional(),
  TICKET_URL: ticketUrl.optional(),
  HTTPS_PROXY: proxy.optional(),
  HTTP_PROXY: proxy.optional(),
  NO_PROXY: z.string().optional(),
});

export type Settings = z.output<typeof SETTINGS>;
export type Variable = keyof Settings;
export const VARIABLES = Object.keys(SETTINGS.shape) as readonly Variable[];

/** The settings that may come from a file, whose path is in `X_FILE`. */
export const SECRETS = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'DIAGNOSTICS_USER_ID',
  'DIAGNOSTICS_USER_SECRET',
  'REDIS_URL',
  'STATE_KEY',
] as const satisfies readonly Variable[];
