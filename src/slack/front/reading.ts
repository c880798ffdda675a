import type { Question } from '../../core/lookup.ts';
import type { Answers, Read } from '../../lookups/lookup-status.ts';
import type { Ready } from '../../lookups/polls.ts';
import { clickFaultNotice, processingNotice } from '../answer/fault-message.ts';
import { searched } from '../answer/result-model.ts';
import type { Since } from '../answer/since.ts';
import type { View, ViewState } from '../block-kit/action-values.ts';
import { type ListenerContext, orNotice } from './context.ts';

type Context = Pick<ListenerContext, 'lookups' | 'history'>;

/**
 * The results of a view: from the cache, or read from the service. Undefined while the service processes the snapshot
 * again. Throws every `Fault`.
 */
export async function readAnswers(
  view: View,
  { lookups, history }: Context,
  how: 'cached' | 'anew' = 'cached',
): Promise<Answers | undefined> {
  const read = async (question: Question) => {
    const answer = how === 'cached' ? await lookups.read(question) : await lookups.readAnew(question);
    return answer.kind === 'ready' ? answer : undefined;
  };
  const answers = await together(view, read);
  if (answers === undefined) return undefined;
  const { question, before, search } = view;
  if (before !== undefined && answers.before !== undefined) await history.record(before, answers.before);
  const lastRead = await history.record(question, answers);
  // As the first message did.
  const isPlain = before === undefined && search === undefined;
  return lastRead === undefined || !isPlain ? answers : { ...answers, lastRead };
}

/**
 * Draws from the results of a view. Where that can't be done for a reason that people are told, `say` gets the reason.
 * `inWords` says what a fault means where that person uses it.
 */
export function withAnswers<T>(
  view: View,
  context: ListenerContext,
  draw: (answers: Answers) => T | Promise<T>,
  say: (why: string) => T | Promise<T>,
  how: 'cached' | 'anew' = 'cached',
  inWords = clickFaultNotice,
): Promise<T> {
  const work = async () => {
    const answers = await readAnswers(view, context, how);
    // Nobody can wait for the service here.
    return answers === undefined ? say(processingNotice(view)) : draw(answers);
  };
  return orNotice(context, 'a result could not be shown or sent', work, (fault) =>
    say(inWords(fault, view, context.operator).text),
  );
}

/** The results of a view from the cache alone; undefined if they are not there. Throws `StorageFailed`. */
export function cachedAnswers(view: View, { lookups }: Context): Promise<Answers | undefined> {
  return together(view, (question) => lookups.cached(question));
}

async function together(
  view: View,
  read: (question: Question) => Promise<Ready | undefined>,
): Promise<Answers | undefined> {
  const { question, before } = view;
  const [answer, earlier] = await Promise.all([read(question), before && read(before)]);
  if (answer === undefined) return undefined;
  if (before === undefined) return searched(view, answer);
  return earlier === undefined ? undefined : { ...answer, before: earlier };
}

/** What changed since the message was made, if the result is newer. */
export async function sinceMade(
  { question, before, madeAt, beforeMadeAt = 0 }: ViewState,
  answers: Answers,
  context: Context,
): Promise<Since[]> {
  const now = await sinceOf(question, madeAt, answers, context);
  if (before === undefined || answers.before === undefined) return now;
  return [...(await sinceOf(before, beforeMadeAt, answers.before, context)), ...now];
}

async function sinceOf(question: Question, at: number, read: Read, { history }: Context): Promise<Since[]> {
  if (read.readAt === at) return [];
  const found = await history.changesSince({ question, at }, question, read);
  return [{ snapshotId: question.snapshotId, at, found }];
}
