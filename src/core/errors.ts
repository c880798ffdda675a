/**
 * Why the bot can't start, for the operator: the setting where it was found, what is wrong, and what to do. Printed as
 * it is, so it never holds a secret. One subclass for each reason.
 */
export abstract class CannotStart extends Error {
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

export class PortUnusable extends CannotStart {
  constructor(setting: 'PORT' | 'OPS_PORT', port: number, code: string, options?: ErrorOptions) {
    const isTaken = code === 'EADDRINUSE';
    super(
      setting,
      isTaken
        ? `port ${port} is in use by another process`
        : `this user may not listen on port ${port} (${code})`,
      isTaken ? 'stop that process, or choose another port' : 'choose a port above 1023',
      options,
    );
  }
}

/**
 * Turns Node's error about a port that cannot be listened to into `PortUnusable`; gives any other error back unchanged.
 */
export function portUnusable(setting: 'PORT' | 'OPS_PORT', port: number, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isListening = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  return isListening ? new PortUnusable(setting, port, code, { cause: error }) : error;
}

/** The code of the innermost cause, such as ENOTFOUND; without a code the name of the error. */
export function errorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return 'unknown';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return errorCode(inner, depth + 1);
  // Its code is a number that means nothing to people.
  if (error.name === 'TimeoutError') return 'timeout';
  return 'code' in error ? String(error.code) : error.name;
}

/** The process stops, and this work goes on after the next start. It is no fault: no user sees it. */
export class Stopping extends Error {
  constructor() {
    super('the process stops');
  }
}
