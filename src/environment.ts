import { z } from 'zod';
import { LOG_LEVELS } from './ops/logging.ts';
import { parseStateKey } from './storage/state-key.ts';

/** These may come from a file: `X_FILE` names it. */
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

/** Kind prefixes of Slack's tokens; an unknown one is left for Slack to judge. */
function token(wrongKinds: readonly string[], repair: string) {
  return z
    .string({ error: `is missing: ${repair}` })
    .refine(
      (value) => !wrongKinds.some((kind) => value.startsWith(kind)),
      `is a token of another kind: ${repair}`,
    );
}

function httpsUrl(what: string) {
  const repair = `set it to the https address of ${what}`;
  return z
    .string({ error: `is missing: ${repair}` })
    .refine((value) => {
      const url = URL.parse(value);
      return url?.protocol === 'https:' && url.username === '' && url.search === '' && url.hash === '';
    }, `is no plain https address: ${repair}, without user, query or fragment`)
    .transform((value) => value.replace(/\/+$/, ''));
}

const slackApiUrl = z
  .string()
  .default('https://slack.com/api/')
  .refine((value) => {
    const url = URL.parse(value);
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  }, 'is no https address (http is for a loopback address only): leave it out to use Slack itself')
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

/** Ids of one kind, separated by commas. */
function ids(kind: RegExp, repair: string) {
  return z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== ''),
    )
    .refine((list) => list.every((id) => kind.test(id)), `holds something that is no id: ${repair}`);
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
  PORT: z.coerce
    .number('is no port number')
    .int('is no port number')
    .min(0)
    .max(65_535, 'is no port number')
    .default(3_000),
  DIAGNOSTICS_BASE_URL: httpsUrl('the diagnostics service'),
  DIAGNOSTICS_AUTH_URL: httpsUrl('its login servers'),
  DIAGNOSTICS_LOGIN_URL: httpsUrl('the page where people log in by hand'),
  DIAGNOSTICS_VENDOR: z
    .string({
      error:
        "is missing: set it to the vendor's word in the media type application/vnd.<vendor>.diagnostics.api",
    })
    .regex(/^[\w.+-]{1,60}$/, 'is no word of letters, digits, dot, plus and minus'),
  DIAGNOSTICS_USER_ID: z.string({
    error:
      'is missing: set it to the account that the bot uses; accounts are free, see DIAGNOSTICS_LOGIN_URL',
  }),
  DIAGNOSTICS_USER_SECRET: z.string({ error: 'is missing: set it to the password of that account' }),
  REDIS_URL: z
    .string()
    .regex(
      /^rediss?:\/\//,
      'does not start with redis:// or rediss:// (one Redis, or one address that leads to the present one; ' +
        'addresses of Sentinel and Cluster are not supported)',
    )
    .optional(),
  DATA_DIR: z.string().default('./data'),
  STATE_KEY: stateKeys.default([]),
  WAIT_LIMIT_MINUTES: z.coerce
    .number('is no number of minutes')
    .positive('must be more than 0')
    .max(1_440, 'must be at most 1440, a day')
    .default(60),
  ALLOWED_CHANNELS: ids(
    /^[CGD][A-Z0-9]{5,}$/,
    'a channel tells its id (C…) at the end of its details, and a name is not one',
  ),
  ALLOWED_USERGROUPS: ids(
    /^S[A-Z0-9]{5,}$/,
    'the link to a user group ends in its id (S…), and a handle is not one',
  ),
  LOG_LEVEL: z.enum(LOG_LEVELS, `is none of ${LOG_LEVELS.join(', ')}`).default('info'),
});
export type Environment = z.infer<typeof environment>;
