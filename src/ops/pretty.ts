type Fields = Readonly<Record<string, unknown>>;

const STACK_INDENT = '\n    ';

/** A log line for people: the time, the level, the message, and the other fields as `name=value`. */
export function prettyLine(line: string): string {
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
