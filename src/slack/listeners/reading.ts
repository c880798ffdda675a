import { compareHits } from '../../core/comparing.ts';
import type { Question } from '../../core/lookup.ts';
import { digestOf } from '../../lookups/digests.ts';
import type { Read } from '../../lookups/news.ts';
import type { Ready } from '../../lookups/polls.ts';
import type { View, ViewState } from '../button-values.ts';
import type { Since } from '../messages/since-line.ts';
import type { Answers } from '../shown-hits.ts';
import type { ListenerContext } from './context.ts';

type Context = Pick<ListenerContext, 'lookups'>;

/**
 * What a message is made of: as it was read last, where that is still kept, or anew. Undefined while the service
 * processes a snapshot anew. Throws every `Fault`.
 */
export async function readAnswers(
  view: View,
  { lookups }: Context,
  how: 'kept' | 'anew' = 'kept',
): Promise<Answers | undefined> {
  const read = async (question: Question) => {
    const answer = how === 'kept' ? await lookups.read(question) : await lookups.readAnew(question);
    return answer.kind === 'ready' ? answer : undefined;
  };
  return together(view, read);
}

/** The same without asking the service: undefined when it is not kept any more. Throws `StorageFailed`. */
export function keptAnswers(view: View, { lookups }: Context): Promise<Answers | undefined> {
  return together(view, (question) => lookups.kept(question));
}

async function together(
  { question, before }: View,
  read: (question: Question) => Promise<Ready | undefined>,
): Promise<Answers | undefined> {
  const [answer, earlier] = await Promise.all([read(question), before && read(before)]);
  if (answer === undefined) return undefined;
  if (before === undefined) return dated(answer);
  return earlier === undefined ? undefined : { ...dated(answer), before: dated(earlier) };
}

function dated({ result, at }: Ready): Read {
  return { result, readAt: at };
}

/** What changed since a message was made, if it was made of something older than this. Throws `StorageFailed`. */
export async function sinceMade(
  { question, before, madeAt, beforeMadeAt = 0 }: ViewState,
  answers: Answers,
  context: Context,
): Promise<Since[]> {
  const now = await sinceOf(question, madeAt, answers, context);
  if (before === undefined || answers.before === undefined) return now;
  return [...(await sinceOf(before, beforeMadeAt, answers.before, context)), ...now];
}

async function sinceOf(
  question: Question,
  at: number,
  { result, readAt }: Read,
  { lookups }: Context,
): Promise<Since[]> {
  if (readAt === at) return [];
  const digest = await lookups.digest(question, at);
  const found = digest && compareHits(digest, digestOf(question, result));
  return [{ snapshotId: question.snapshotId, at, found }];
}
