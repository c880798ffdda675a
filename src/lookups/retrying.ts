import { type Fault, LoginRefused, retryAtOf, SessionRefused, Unreachable } from '../core/faults.ts';

const LONGEST_PAUSE_MS = 60_000;

/** Whether a lookup goes on waiting after this fault, instead of ending with it. `hasWaited`: for a snapshot that is processed. */
export function isWorthWaiting(fault: Fault, hasWaited: boolean): boolean {
  return fault.isTransient || (isLoginFault(fault) && hasWaited);
}

/**
 * When the next step after a fault is due, in epoch milliseconds: the pause doubles with each answer in a row that is a
 * fault, and is never shorter than the fault itself names. A service that can't be reached is spared by `Transport`, and
 * once it is back nobody waits for longer than after a 202. `firstPauseMs` is the pause after the first one.
 */
export function dueAfter(fault: Fault, troubles: number, firstPauseMs: number, now: number): number {
  const doubled = fault instanceof Unreachable ? 0 : troubles - 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** doubled, LONGEST_PAUSE_MS);
  return Math.max(now + pauseMs, notBefore(fault));
}

/** What is wrong with the login does not end a wait: an operator may repair it in time. */
function isLoginFault({ code }: Fault): boolean {
  return code === 'login-refused' || code === 'session-refused' || code === 'cookie-domain';
}

function notBefore(fault: Fault): number {
  const isOfLogin = fault instanceof LoginRefused || fault instanceof SessionRefused;
  return (isOfLogin ? fault.coolDownUntil : retryAtOf(fault)) ?? 0;
}
