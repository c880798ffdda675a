import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redactionOf } from './redaction.ts';
import { logOutput } from './standard-output.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevelName = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ['json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

const current = new AsyncLocalStorage<{ readonly lookup: string }>();

/** Adds the lookup's id to every log line that is written during `work`, by any library. */
export function inLookup<T>(lookup: string, work: () => T): T {
  return current.run({ lookup }, work);
}

/**
 * The log: one JSON object a line, or lines for people. `secrets` never appear in it: each line is searched before it
 * is written, because a list of fields would miss the field that a library adds.
 */
export function createLogger(
  level: LogLevelName,
  secrets: readonly string[],
  out?: DestinationStream,
  format: LogFormat = 'json',
): Logger {
  const redacted = redactionOf(secrets);
  const shaped = format === 'pretty' ? (line: string) => prettyLine(redacted(line)) : redacted;
  return pino(
    {
      level,
      base: null,
      mixin: () => current.getStore() ?? {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.errWithCause },
    },
    out === undefined ? logOutput(shaped) : { write: (line) => out.write(shaped(line)) },
  );
}

type Fields = Readonly<Record<string, unknown>>;

const STACK_INDENT = '\n    ';

/** A log line for people: the time, the level, the message, and the other fields as `name=value`. */
function prettyLine(line: string): string {
  const { level, time, part, msg, err, ...rest } = JSON.parse(line) as Fields;
  const clock = String(time).slice(11, 23);
  const whose = part === undefined ? '' : `${String(part)}: `;
  const fields = Object.entries(rest).map(([name, value]) => ` ${name}=${shown(value)}`);
  return `${clock} ${String(level).toUpperCase().padEnd(5)} ${whose}${String(msg ?? '')}${fields.join('')}${errorOf(err)}\n`;
}

function shown(value: unknown): string {
  return typeof value === 'string' && !/[\s"=]/.test(value) ? value : JSON.stringify(value);
}

/** An error with its causes, each with its stack. */
function errorOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message, cause } = error as Fields;
  const text = String(stack ?? message ?? '').replaceAll('\n', STACK_INDENT);
  return `${STACK_INDENT}${text}${cause === undefined ? '' : `${STACK_INDENT}caused by${errorOf(cause)}`}`;
}

/** Slack's libraries log whole deliveries and messages at level debug: this keeps the call and drops its content. */
const CALL = /^apiCall\('[\w.]{1,60}'\) (?:start|end)$/;
/** Slack's client logs every failed try of a call; the caller gets the error once no try is left, and reports it. */
const TRY_FAILED = /^http request failed/;
/** The longest message that is logged: some repeat what a stranger sent, for example an address. */
const LONGEST_MESSAGE = 2_000;

/**
 * The same log for Slack's libraries, without the content of messages. Their info lines are of no use to an operator.
 */
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
