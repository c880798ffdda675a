import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import { type DestinationStream, type Logger, pino } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevelName = (typeof LOG_LEVELS)[number];

const HIDDEN = '[hidden]';
/** Slack's tokens and one-off addresses, wherever a library puts them. */
const SLACK_SECRETS = /xox[a-z]-[\w-]+|xapp-[\w-]+|https:\/\/hooks\.slack\.com\/[^\s"'\\]+/g;
/** The same by their names, as Slack's libraries print whole deliveries and the address of a socket at level trace. */
const SLACK_FIELDS = /(\\*"(?:token|response_url)\\*":\\*"|[?&]ticket=)[^\s"&\\]+/g;
/** Credentials inside an address, as a proxy or a Redis has them. */
const URL_CREDENTIALS = /(\w+:\/\/)[^\s/@]*:[^\s/@]*@/g;

/**
 * The log, one JSON object a line. `secrets` never appear in it, whatever throws or prints them: each line is
 * looked through before it is written, because a list of fields would miss the one that a library invents.
 */
export function createLogger(
  level: LogLevelName,
  secrets: readonly string[],
  out?: DestinationStream,
): Logger {
  const values = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(spellings);
  const target = out ?? pino.destination({ fd: 1, sync: true });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.errWithCause },
    },
    { write: (line) => target.write(hide(line, values)) },
  );
}

/** Hiding every occurrence of a shorter text would make the log unreadable, and it protects nothing. */
const SHORTEST_SECRET = 4;

/** A secret as it stands, inside a URL, and inside the JSON of a log line. */
function spellings(secret: string): string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

function hide(line: string, secrets: readonly string[]): string {
  const known = secrets.reduce((text, secret) => text.replaceAll(secret, HIDDEN), line);
  return known
    .replace(SLACK_SECRETS, HIDDEN)
    .replace(SLACK_FIELDS, `$1${HIDDEN}`)
    .replace(URL_CREDENTIALS, `$1${HIDDEN}@`);
}

/** The same log for Slack's libraries. What they call info is of no use to an operator. */
export function boltLogger(logger: Logger): BoltLogger {
  const child = logger.child({ part: 'slack' });
  const write =
    (log: (message: string) => void) =>
    (...messages: unknown[]) =>
      log(messages.map(String).join(' '));
  return {
    debug: write((message) => child.trace(message)),
    info: write((message) => child.debug(message)),
    warn: write((message) => child.warn(message)),
    error: write((message) => child.error(message)),
    setLevel: () => {},
    getLevel: () => (child.isLevelEnabled('debug') ? LogLevel.DEBUG : LogLevel.WARN),
    setName: () => {},
  };
}
