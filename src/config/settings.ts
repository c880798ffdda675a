import { z } from 'zod';
import { DEFAULT_CONTACT } from '../slack/answer/fault-sentences.ts';
import { parseStateKey } from '../storage/backend/state-key.ts';

export const WHERE_TOKENS = 'https://api.slack.com/apps, your app';
const BOT_TOKEN = `copy the Bot User OAuth Token (xoxb-…) from ${WHERE_TOKENS}, OAuth & Permissions`;
const APP_TOKEN = `copy an App-Level Token (xapp-…) from ${WHERE_TOKENS}, Basic Information`;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** A text that is needed. */
function needed(repair: string) {
  return z.string({ error: `is missing: ${repair}` });
}

/** Prefixes of Slack's tokens by kind; a token with an unknown prefix is left for Slack to judge. */
function token(wrongKinds: readonly string[], repair: string) {
  return needed(repair).refine(
    (value) => !wrongKinds.some((kind) => value.startsWith(kind)),
    `is a token of another kind: ${repair}`,
  );
}

function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** URL.parse drops line breaks and reads backslashes as slashes: the result would differ from what was written. */
const PLAIN_ADDRESS = /^https?:\/\/[\w.~%:/[\]-]+$/i;

/** A URL of scheme, host, port and path only; undefined for any other. */
function plainAddress(value: string): URL | undefined {
  return PLAIN_ADDRESS.test(value) ? (URL.parse(value) ?? undefined) : undefined;
}

/** `added`: the path that the bot itself puts behind the address. */
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
  .default('https://slack.com/api/')
  .refine((value) => {
    const url = plainAddress(value);
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  }, 'must be an https address (http is for a loopback address only): leave it out to use Slack itself')
  .transform((value) => (value.endsWith('/') ? value : `${value}/`));

const stateKeys = z.string().transform((value, context) =>
  value.split(',').map((text) => {
    const key = parseStateKey(text);
    if (key !== undefined) return key;
    context.addIssue(
      'holds something that is not 32 bytes in base64: make one with `openssl rand -base64 32`',
    );
    return z.NEVER;
  }),
);

function positive(problem: string) {
  return z.coerce.number(problem).positive('must be more than 0');
}

/** A length of time in the variable's unit, which is so long; it is used in milliseconds. */
function duration(unit: string, unitMs: number, [most, name]: readonly [number, string], usual: number) {
  return positive(`must be a number of ${unit}`)
    .max(most, `must be at most ${most}, ${name}`)
    .default(usual)
    .transform((length) => length * unitMs);
}

function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `is none of ${words.join(', ')}`);
}

const NO_PORT = 'must be a port (0–65535)';
const port = whole(NO_PORT, 0, 65_535);

function whole(problem: string, least: number, most: number) {
  return z.coerce.number(problem).int(problem).min(least, problem).max(most, problem);
}

/** Ids of one kind, separated by commas. `without` says what it means to leave the setting out. */
function ids(kind: RegExp, repair: string, without = 'to restrict nothing') {
  return z
    .string()
    .transform((value) => value.split(',').flatMap((id) => id.trim() || []))
    .refine((list) => list.length > 0, `is set, but holds no id: leave it out ${without}`)
    .refine((list) => list.every((id) => kind.test(id)), `holds something that is not an id: ${repair}`)
    .default([]);
}

const yesOrNo = z
  .enum(['yes', 'no', 'true', 'false'], 'must be yes or no')
  .transform((word) => word === 'yes' || word === 'true')
  .default(false);

const vendor = needed(
  "set it to the vendor's word in the media type application/vnd.<vendor>.diagnostics.api",
).regex(/^[\w.+-]{1,60}$/, 'must be one word of letters, digits, dots, plus and minus signs');

const REQUESTS = 'must be a whole number from 1 to 1000: how many requests the service may get at once';

const redisUrl = z
  .string()
  .regex(/^[!-~]+$/, 'holds spaces or characters that an address must write as %XX')
  .refine(
    (value) => /^rediss?:\/\//.test(value) && URL.canParse(value),
    'is no address of a Redis: redis://host:6379, or rediss://… for TLS; for Sentinel, the address of a proxy before it',
  );

const collector = z
  .string()
  .refine(
    (value) => ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? ''),
    'must be the http or https address of a collector, such as http://localhost:4318',
  );

const contact = z
  .string()
  .regex(
    /^[^\p{Cc}<>]{1,80}$/u,
    'must be one line of at most 80 characters without angle brackets, such as #bot-help',
  );

const MEMBER = 'member ids begin with U (open the profile, ⋯, Copy member ID)';
const CHANNEL = 'channel ids begin with C (see the end of the channel’s details)';
const GROUP = 'user group ids begin with S (see the end of the link to the group)';

/** A setting: the variable that it is read from, and what that may hold. A secret may come from a file: `X_FILE` names it. */
function from<const Variable extends string, Schema extends z.ZodType>(
  variable: Variable,
  schema: Schema,
  kind: 'plain' | 'secret' = 'plain',
) {
  return { variable, schema, isSecret: kind === 'secret' };
}

/** Every setting, by its name in the configuration, with what can be wrong and its repair; never with a value. */
export const SETTINGS = {
  botToken: from('SLACK_BOT_TOKEN', token(['xapp-', 'xoxp-'], BOT_TOKEN), 'secret'),
  signingSecret: from('SLACK_SIGNING_SECRET', z.string().default(''), 'secret'),
  appToken: from('SLACK_APP_TOKEN', token(['xoxb-', 'xoxp-'], APP_TOKEN).optional(), 'secret'),
  apiUrl: from('SLACK_API_URL', slackApiUrl),
  port: from('PORT', port.default(3_000)),
  /** The port for health and metrics; undefined: on `port`. */
  opsPort: from('OPS_PORT', port.optional()),
  baseUrl: from('DIAGNOSTICS_BASE_URL', httpsUrl('the diagnostics service', '/snapshot-analyzer')),
  authUrl: from(
    'DIAGNOSTICS_AUTH_URL',
    httpsUrl('the login servers of the diagnostics service', '/auth/pub'),
  ),
  loginUrl: from('DIAGNOSTICS_LOGIN_URL', httpsUrl('the page where people log in to the service by hand')),
  vendor: from('DIAGNOSTICS_VENDOR', vendor),
  userId: from(
    'DIAGNOSTICS_USER_ID',
    needed('set it to the account that the bot uses; accounts are free, see DIAGNOSTICS_LOGIN_URL'),
    'secret',
  ),
  userSecret: from('DIAGNOSTICS_USER_SECRET', needed('set it to the password of that account'), 'secret'),
  serviceConcurrency: from('SERVICE_CONCURRENCY', whole(REQUESTS, 1, 1_000).default(16)),
  redisUrl: from('REDIS_URL', redisUrl.optional(), 'secret'),
  dataDir: from('DATA_DIR', z.string().default('./data')),
  stateKeys: from('STATE_KEY', stateKeys.default([]), 'secret'),
  waitLimitMs: from('WAIT_LIMIT_MINUTES', duration('minutes', MINUTE_MS, [1_440, 'a day'], 60)),
  channels: from('ALLOWED_CHANNELS', ids(/^[CGD][A-Z0-9]{5,}$/, CHANNEL)),
  userGroups: from('ALLOWED_USERGROUPS', ids(/^S[A-Z0-9]{5,}$/, GROUP)),
  resultMs: from('RESULT_MINUTES', duration('minutes', MINUTE_MS, [1_440, 'a day'], 15)),
  /** As long as the service keeps a snapshot, because a message can be refreshed for that long. */
  historyMs: from('HISTORY_DAYS', duration('days', DAY_MS, [365, 'a year'], 30)),
  otlpEndpoint: from('OTEL_EXPORTER_OTLP_ENDPOINT', collector.optional()),
  /** Whom refusals and fault messages name, as it reads after "Ask". */
  contact: from('CONTACT', contact.default(DEFAULT_CONTACT)),
  admins: from('ADMINS', ids(/^[UW][A-Z0-9]{2,20}$/, MEMBER, 'if nobody may ask for the status')),
  logFormat: from('LOG_FORMAT', oneOf(['json', 'pretty']).default('json')),
  guests: from('ALLOW_GUESTS', yesOrNo),
  commandsPerMinute: from('COMMANDS_PER_MINUTE', positive('must be a number').default(30)),
  /** The file of the audit; `-` is standard output. */
  auditFile: from('AUDIT_FILE', z.string().optional()),
  sharedChannels: from('ALLOW_SHARED_CHANNELS', yesOrNo),
  logLevel: from(
    'LOG_LEVEL',
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ),
  unfurl: from('UNFURL', oneOf(['yes', 'no', 'work-object']).default('yes')),
};
