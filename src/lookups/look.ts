import { Stopping } from '../core/errors.ts';
import { isFault, StorageFailed } from '../core/faults.ts';
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
export async function answerTo(
  polls: Polls,
  { question, before, acceptedAt, mayBeCached }: Job,
): Promise<Answer> {
  const look = (asked: Question) =>
    polls.look(asked, mayBeCached ? 0 : acceptedAt).catch((error: unknown) => notAnswered(error, asked));
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
