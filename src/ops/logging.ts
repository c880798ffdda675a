import { AsyncLocalStorage } from 'node:async_hooks';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { CannotStart, errorCode } from '../core/faults.ts';
import type { Audit } from '../core/lookup.ts';
import { lazily } from '../core/time.ts';

const HIDDEN = '[hidden]';

/**
 * Patterns of secrets of Slack and of the service. The first group, a known beginning, is kept. In nested JSON a
 * quotation mark or slash has one, three or seven backslashes before it.
 */
const SECRET_FORMS: readonly RegExp[] = [
  /()(?:xox[a-z]-[\w-]+|xoxe\.[\w.-]+|xapp-[\w-]+)/g,
  // Response URLs and upload URLs.
  /(hooks\.slack\.com|files\.slack\.com\\{0,7}\/upload)(?:[^\s"'<>\\]|\\{1,7}[^\s"'<>\\])+/g,
  // Fields of a delivery, a login or a request that a library may print.
  /"((?:token|response_url|upload_url|user_secret|cookie|set-cookie|authorization)\\{0,7}":\[?\\{0,7}")(?:[^"\\]|\\{1,7}[^"\\]){1,4000}/gi,
  // The URL of a Socket Mode connection.
  /([?&]ticket=)[^\s"&\\]+/g,
  // The session cookies of the diagnostics service.
  /(\b(?:ssosession|userinfo|sso_completed)=)[^\s;"',\\]+/g,
  // User and password in a URL, such as that of a proxy or a Redis.
  /(:\\{0,7}\/\\{0,7}\/)[^\s/@"'<>]+(?=@)/g,
];

/** Shorter texts are not hidden, because they also occur in harmless places. */
const SHORTEST_SECRET = 4;

/**
 * Makes a function that hides secrets in a log line: the given texts in every encoding, and everything that looks like
 * a secret of Slack or of the service. A line of JSON remains valid JSON.
 */
export function redactionOf(secrets: readonly string[]): (line: string) => string {
  const spelled = [...new Set(secrets.flatMap(spellings))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // Longest first: hiding a secret that is part of a longer secret would leave the rest visible.
    .sort((one, other) => other.length - one.length);
  // Without secrets, the pattern matches nothing.
  const known = new RegExp(`(?:${spelled.map(RegExp.escape).join('|') || '(?!)'})`, 'g');
  return (line) =>
    SECRET_FORMS.reduce((text, form) => text.replace(form, hidden), line.replace(known, HIDDEN));
}

function hidden(found: string, beginning: string): string {
  return `${found.startsWith('"') ? '"' : ''}${beginning}${HIDDEN}`;
}

/** The encodings of a secret: plain, in a URL or a form, in base64, in JSON, and in nested JSON. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret);
  const inBase64 = Buffer.from(secret).toString('base64').replaceAll('=', '');
  const nested = JSON.stringify(inJson).slice(1, -1);
  return [secret, inUrl, inUrl.replaceAll('%20', '+'), inBase64, inJson, nested];
}

/** How many bytes are buffered while a reader or a disk is blocked; further lines are dropped. */
const MOST_WAITING = 16 * 1024 * 1024;
const TRY_AGAIN_MS = 20;
/** How long the exit waits for a slow reader. Milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Standard output, shared by the log and by an audit log without a file, so that lines don't mix. A write never blocks
 * or throws: the bot answers even if nobody reads its output.
 */
const standardOutput = lazily(() => {
  // Opening the stream makes a pipe non-blocking; otherwise a stalled reader would block the process.
  void process.stdout;
  let patientUntil = 0;
  const retryEAGAIN = () => performance.now() < patientUntil;
  const out = pino.destination({ fd: 1, sync: true, maxLength: MOST_WAITING, retryEAGAIN });
  let isRetrying = false;
  out.on('error', () => {
    if (isRetrying) return;
    isRetrying = true;
    setTimeout(() => {
      isRetrying = false;
      out.write('');
    }, TRY_AGAIN_MS).unref();
  });
  process.once('exit', () => {
    patientUntil = performance.now() + LAST_LINES_MS;
    out.write('');
  });
  return out;
});

type Output = Pick<DestinationStream, 'write'>;

const current = new AsyncLocalStorage<{ readonly lookup: string }>();

/** Adds the lookup's id to every log line that is written during `work`, even by a library. */
export function inLookup<T>(lookup: string, work: () => T): T {
  return current.run({ lookup }, work);
}

/**
 * The log, one JSON object a line. `secrets` never appear in it: each finished line is searched, because a list of
 * fields to hide would miss a field that a library adds.
 */
export function createLogger(
  level: LevelWithSilent,
  secrets: readonly string[],
  out: Output = standardOutput(),
): Logger {
  const redacted = redactionOf(secrets);
  return pino(
    {
      level,
      base: null,
      mixin: () => current.getStore() ?? {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.errWithCause },
    },
    { write: (line) => void out.write(redacted(line)) },
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Makes log lines readable for people: time, level, part and message, then the other fields as JSON. */
export function forPeople(out: Output = standardOutput()): Output {
  return { write: (line) => void out.write(readable(JSON.parse(line))) };
}

function readable({ level, time, part, msg, err, ...rest }: Fields): string {
  const begin = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)}`;
  const whose = part === undefined ? '' : `${part}: `;
  const fields = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${begin} ${whose}${msg ?? ''}${fields.join('')}${stacksOf(err)}\n`;
}

function stacksOf(error: unknown): string {
  const { stack, message, cause }: Fields = Object(error);
  const own = stack ?? message;
  return own === undefined ? '' : `\n    ${String(own).replaceAll('\n', '\n    ')}${stacksOf(cause)}`;
}

/** Matches the debug lines of Slack's libraries that may be logged. Others contain complete deliveries and messages. */
const CALL = /^apiCall\('[\w.]{1,60}'\) (?:start|end)$/;
/** Matches warnings about one failed attempt of a request; the caller reports the final error. */
const TRY_FAILED = /^http request failed/;
/** The longest logged message in characters: a message may repeat text from outside, such as a URL. */
const LONGEST_MESSAGE = 2_000;

/** The log for Slack's libraries, without the content of messages. Their info lines are logged at level debug. */
export function boltLogger(logger: Logger): BoltLogger {
  const child = logger.child({ part: 'slack' });
  const write =
    (log: (message: string) => unknown) =>
    (...messages: unknown[]) =>
      log(messages.map(String).join(' ').slice(0, LONGEST_MESSAGE));
  return {
    debug: write((message) => CALL.test(message) && child.trace(message)),
    info: write((message) => child.debug(message)),
    warn: write((message) => (TRY_FAILED.test(message) ? child.debug(message) : child.warn(message))),
    error: write((message) => child.error(message)),
    setLevel: () => {},
    getLevel: () => (child.isLevelEnabled('debug') ? LogLevel.DEBUG : LogLevel.WARN),
    setName: () => {},
  };
}

const OWNER_ALONE = 0o600;
const REPAIR =
  'check that its folder exists and that the user that runs the bot may write there, or set it to - for standard output';

/** The audit file can't be opened. */
class AuditFileUnusable extends CannotStart {}

/** Throws `AuditFileUnusable` if the bot can't append to the file; does not create it. */
export function checkAuditFile(file = '-'): void {
  if (file === '-') return;
  const fail = (why: string, options?: ErrorOptions) =>
    new AuditFileUnusable('AUDIT_FILE', `${file} ${why}`, REPAIR, options);
  try {
    const is = statSync(file, { throwIfNoEntry: false });
    // Opening a named pipe without a reader would block the process.
    if (is?.isFIFO() || is?.isDirectory()) throw fail('is a pipe or a folder');
    accessSync(existsSync(file) ? file : `${dirname(file)}/`, constants.W_OK);
  } catch (cause) {
    throw cause instanceof CannotStart ? cause : fail(`cannot be opened (${errorCode(cause)})`, { cause });
  }
}

/**
 * Writes each entry as a JSON line, independent of the log level: to a file that only its owner may read, to standard
 * output for `-`, or nowhere without a file. Keeps lines that can't be written for the next attempt, and logs the first
 * failure. `problem` tries again, and returns why lines can't be written. Throws `AuditFileUnusable`.
 */
export function openAudit(file: string | undefined, logger: Logger) {
  if (file === undefined) return { audit: () => {}, problem: async () => undefined };
  checkAuditFile(file);
  const options = { mode: OWNER_ALONE, append: true, sync: true, maxLength: MOST_WAITING };
  const destination = file === '-' ? standardOutput() : pino.destination({ dest: file, ...options });
  let trouble: unknown;
  destination.on('write', () => {
    trouble = undefined;
  });
  destination.on('error', (error: unknown) => {
    if (trouble === undefined)
      logger.error({ err: error }, 'an audit line could not be written: it waits until it can');
    trouble = error;
  });
  const audit: Audit = (entry) => {
    destination.write(`${JSON.stringify({ time: new Date().toISOString(), audit: true, ...entry })}\n`);
  };
  return {
    audit,
    problem: async () => {
      if (trouble !== undefined) destination.write('');
      return trouble === undefined ? undefined : `AUDIT_FILE cannot be written (${errorCode(trouble)})`;
    },
  };
}
