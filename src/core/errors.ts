/**
 * Why the bot can't start, for the operator: the setting where it was found, what is wrong, and what to do. Printed as
 * it is, so it never holds a secret.
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

/** Says what to do about a port that can't be listened to; gives any other error back unchanged. */
export function portUnusable(setting: 'PORT' | 'OPS_PORT', port: number, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause) || cause.syscall !== 'listen') return cause;
  const code = errorCode(cause);
  const [what, repair] =
    code === 'EADDRINUSE'
      ? [`port ${port} is in use by another process`, 'stop that process, or choose another port']
      : [`this user may not listen on port ${port} (${code})`, 'choose a port above 1023'];
  return new CannotStart(setting, what, repair, { cause });
}

/** The code of the innermost cause, such as ENOTFOUND; without a code the name of the error. */
export function errorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return 'unknown';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return errorCode(inner, depth + 1);
  // The code of a TimeoutError is a number that means nothing to people.
  if (error.name === 'TimeoutError') return 'timeout';
  return 'code' in error ? String(error.code) : error.name;
}

/** The process stops, and this work goes on after the next start. It is no fault: no user sees it. */
export class Stopping extends Error {
  constructor() {
    super('the process stops');
  }
}

/** Whether it is a bug of ours: storage, the service and Slack are asked by ways that throw errors of their own. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
