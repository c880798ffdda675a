import { z } from 'zod';
import { LOG_FORMATS, LOG_LEVELS } from './ops/logging.ts';
import { DEFAULT_CONTACT } from './slack/answer/words/operator.ts';
import { parseStateKey } from './storage/sealing/state-key.ts';

/** Variables that may come from a file: `X_FILE` names it. */
export const SECRETS = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'DIAGNOSTICS_USER_ID',
  'DIAGNOSTICS_USER_SECRET',
  'STATE_KEY',
  'REDIS_URL',
] as const;

export const WHERE_TOKENS = 'https://api.slack.com/apps, your app';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Prefixes of Slack's tokens by kind; a token with an unknown prefix is left for Slack to judge. */
function token(wrongKinds: readonly string[], repair: string) {
  return z
    .string({ error: `is missing: ${repair}` })
    .refine(
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
  return z
    .string({ error: `is missing: ${repair}` })
    .refine((value) => {
      const url = plainAddress(value);
      return url?.protocol === 'https:';
    }, `must be a plain https address: ${repair}, without user, password, query, fragment or spaces`)
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

/** A positive length of time, in the variable's unit. */
function duration(unit: string, most: number, name: string) {
  return z.coerce
    .number(`must be a number of ${unit}`)
    .positive('must be more than 0')
    .max(most, `must be at most ${most}, ${name}`);
}

function port() {
  const problem = 'must be a port (0–65535)';
  return z.coerce.number(problem).int(problem).min(0, problem).max(65_535, problem);
}

/** Ids of one kind, separated by commas. `without` says what it means to leave the setting out. */
function ids(kind: RegExp, repair: string, without = 'to restrict nothing') {
  return z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== ''),
    )
    .refine((list) => list.length > 0, `is set, but holds no id: leave it out ${without}`)
    .refine((list) => list.every((id) => kind.test(id)), `holds something that is not an id: ${repair}`)
    .default([]);
}

/** A switch: yes or no, in the words that people use. */
function yesOrNo() {
  return z
    .enum(['yes', 'no', 'true', 'false'], 'must be yes or no')
    .transform((word) => word === 'yes' || word === 'true')
    .default(false);
}

/** Every variable that the bot reads, with what is wrong and its repair; never with a value. */
export const environment = z.object({
  SLACK_BOT_TOKEN: token(
    ['xapp-', 'xoxp-'],
    `copy the Bot User OAuth Token (xoxb-…) from ${WHERE_TOKENS}, OAuth & Permissions`,
  ),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_APP_TOKEN: token(
    ['xoxb-', 'xoxp-'],
    `copy an App-Level Token (xapp-…) from ${WHERE_TOKENS}, Basic Information`,
  ).optional(),
  SLACK_API_URL: slackApiUrl,
  PORT: port().default(3_000),
  OPS_PORT: port().optional(),
  DIAGNOSTICS_BASE_URL: httpsUrl('the diagnostics service', '/snapshot-analyzer'),
  DIAGNOSTICS_AUTH_URL: httpsUrl('the login servers of the diagnostics service', '/auth/pub'),
  DIAGNOSTICS_LOGIN_URL: httpsUrl('the page where people log in to the service by hand'),
  DIAGNOSTICS_VENDOR: z
    .string({
      error:
        "is missing: set it to the vendor's word in the media type application/vnd.<vendor>.diagnostics.api",
    })
    .regex(/^[\w.+-]{1,60}$/, 'must be one word of letters, digits, dots, plus and minus signs'),
  DIAGNOSTICS_USER_ID: z.string({
    error:
      'is missing: set it to the account that the bot uses; accounts are free, see DIAGNOSTICS_LOGIN_URL',
  }),
  DIAGNOSTICS_USER_SECRET: z.string({ error: 'is missing: set it to the password of that account' }),
  SERVICE_CONCURRENCY: z.coerce
    .number('must be a number: how many requests the service may get at once')
    .int('must be a whole number: how many requests the service may get at once')
    .min(1, 'must be at least 1')
    .max(1_000, 'must be at most 1000')
    .default(16),
  REDIS_URL: z
    .string()
    .regex(/^[!-~]+$/, 'holds spaces or characters that an address must write as %XX')
    .refine(
      (value) => /^rediss?:\/\//.test(value) && URL.canParse(value),
      'is no address of a Redis: redis://host:6379, or rediss://… for TLS; for Sentinel, the address of a proxy before it',
    )
    .optional(),
  DATA_DIR: z.string().default('./data'),
  STATE_KEY: stateKeys.default([]),
  WAIT_LIMIT_MINUTES: z.coerce
    .number('must be a number of minutes')
    .positive('must be more than 0')
    .max(1_440, 'must be at most 1440, a day')
    .default(60),
  ALLOWED_CHANNELS: ids(
    /^[CGD][A-Z0-9]{5,}$/,
    'channel ids begin with C (see the end of the channel’s details)',
  ),
  ALLOWED_USERGROUPS: ids(
    /^S[A-Z0-9]{5,}$/,
    'user group ids begin with S (see the end of the link to the group)',
  ),
  RESULT_MINUTES: duration('minutes', 1_440, 'a day').default(15),
  HISTORY_DAYS: duration('days', 365, 'a year').default(30),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(
      (value) => ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? ''),
      'must be the http or https address of a collector, such as http://localhost:4318',
    )
    .optional(),
  CONTACT: z
    .string()
    .regex(
      /^[^\p{Cc}<>]{1,80}$/u,
      'must be one line of at most 80 characters without angle brackets, such as #bot-help',
    )
    .default(DEFAULT_CONTACT),
  ADMINS: ids(
    /^[UW][A-Z0-9]{2,20}$/,
    'member ids begin with U (open the profile, ⋯, Copy member ID)',
    'if nobody may ask for the status',
  ),
  LOG_FORMAT: z.enum(LOG_FORMATS, `is none of ${LOG_FORMATS.join(', ')}`).default('json'),
  ALLOW_GUESTS: yesOrNo(),
  COMMANDS_PER_MINUTE: z.coerce.number('must be a number').positive('must be more than 0').default(30),
  AUDIT_FILE: z.string().optional(),
  ALLOW_SHARED_CHANNELS: yesOrNo(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `is none of ${LOG_LEVELS.join(', ')}`).default('info'),
});
export type Environment = z.infer<typeof environment>;
