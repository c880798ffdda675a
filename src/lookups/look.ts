import { isFault } from '../core/faults.ts';
import type { Question } from '../core/lookup.ts';
import type { LookupStatus } from './lookup-status.ts';
import type { Polls, Processing } from './polls.ts';
import type { Job } from './queue.ts';
import { Unanswered } from './step-errors.ts';

/** The present answers for one snapshot, or for both of a comparison. Throws `Unanswered`. */
export async function lookAtAll(
  polls: Polls,
  { question, before: compared, acceptedAt }: Job,
): Promise<(LookupStatus & { kind: 'ready' }) | Processing> {
  const look = (asked: Question) =>
    polls.look(asked, acceptedAt).catch((error: unknown) => {
      throw isFault(error) ? new Unanswered(asked, error) : error;
    });
  const [answer, before] = await Promise.all([look(question), compared && look(compared)]);
  if (answer.kind === 'processing') return before?.kind === 'processing' ? both(answer, before) : answer;
  if (before?.kind === 'processing') return before;
  return before === undefined ? answer : { ...answer, before };
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
