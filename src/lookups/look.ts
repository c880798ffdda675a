import { Stopping } from '../core/errors.ts';
import {
  type Fault,
  isFault,
  LoginRefused,
  retryAtOf,
  SessionRefused,
  StorageFailed,
  Unreachable,
} from '../core/faults.ts';
import type { Question } from '../core/lookup.ts';
import type { LookupStatus } from './lookup-status.ts';
import type { Polls, Processing } from './polls.ts';
import type { Job } from './queue.ts';

/** What a step goes on with: the answer, the fault that stands in its way, or a bug of the bot. */
export type Answer =
  | Extract<LookupStatus, { kind: 'ready' | 'failed' }>
  | Processing
  | { readonly kind: 'bug'; readonly error: unknown };

/** The present answer for one snapshot, or for both of a comparison. Throws only what means that the step is retried. */
export async function answerTo(polls: Polls, { question, before, acceptedAt }: Job): Promise<Answer> {
  const look = (asked: Question) =>
    polls.look(asked, acceptedAt).catch((error: unknown) => notAnswered(error, asked));
  const [answer, earlier] = await Promise.all([look(question), before && look(before)]);
  if (earlier === undefined) return answer;
  const failed = [answer, earlier].find(({ kind }) => kind === 'failed' || kind === 'bug');
  if (failed !== undefined) return failed;
  if (answer.kind === 'processing') return earlier.kind === 'processing' ? both(answer, earlier) : answer;
  return answer.kind === 'ready' && earlier.kind === 'ready' ? { ...answer, before: earlier } : earlier;
}

/** Throws the end of the process, and faults of the bot's own storage, which say nothing about the snapshot. */
function notAnswered(error: unknown, question: Question): Answer {
  if (error instanceof Stopping || error instanceof StorageFailed) throw error;
  return isFault(error) ? { kind: 'failed', fault: error, question } : { kind: 'bug', error };
}

/** Both snapshots are still processed: the step continues when the first of them may be asked again. */
function both(one: Processing, other: Processing): Processing {
  return {
    kind: 'processing',
    reason: [...new Set([one.reason, other.reason])].filter((reason) => reason !== '').join(' '),
    since: Math.min(one.since, other.since),
    lookAgainAt: Math.min(one.lookAgainAt, other.lookAgainAt),
  };
}

const LONGEST_PAUSE_MS = 60_000;

/** Whether a lookup goes on waiting after this fault, instead of ending with it. */
export function isWorthWaiting(fault: Fault, { waitingSince }: Job): boolean {
  return fault.isTransient || (isLoginFault(fault) && waitingSince !== undefined);
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
