/**
 * Why the bot can't start, for the operator: the faulty setting, what is wrong, and how to repair it. The message is
 * printed unchanged, so it must not contain a secret.
 */
export class CannotStart extends Error {
  readonly setting: string;
  readonly what: string;
  readonly repair: string;
  constructor(setting: string, what: string, repair: string, options?: ErrorOptions) {
    super(`${setting}: ${what}; ${repair}`, options);
    this.setting = setting;
    this.what = what;
    this.repair = repair;
  }
}

/** Turns an error of listening on a port into a `CannotStart`; returns any other error unchanged. */
export function portUnusable(setting: 'PORT' | 'OPS_PORT', port: number, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause) || cause.syscall !== 'listen') return cause;
  const code = errorCode(cause);
  const [what, repair] =
    code === 'EADDRINUSE'
      ? [`port ${port} is in use by another process`, 'stop that process, or choose another port']
      : [`this user may not listen on port ${port} (${code})`, 'choose a port above 1023'];
  return new CannotStart(setting, what, repair, { cause });
}

/** The code of the innermost cause, such as ENOTFOUND; the error's name if it has no code. */
export function errorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return 'unknown';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return errorCode(inner, depth + 1);
  // The numeric code of a TimeoutError means nothing to people.
  if (error.name === 'TimeoutError') return 'timeout';
  return 'code' in error ? String(error.code) : error.name;
}

/** Thrown into work that a shutdown interrupts; the work continues after the next start. Users never see it. */
export class Stopping extends Error {
  constructor() {
    super('the process stops');
  }
}

/** Whether an error is a bug of the bot: storage, the service and Slack fail with other error classes. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
