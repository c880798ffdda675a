import type { Question } from '../../core/lookup.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import { changesSince } from '../../lookups/hit-summaries.ts';
import type { Answers, Read } from '../../lookups/lookup-status.ts';
import type { Ready } from '../../lookups/polls.ts';
import { searched } from '../answer/model/searched.ts';
import type { Since } from '../answer/parts/since-line.ts';
import type { View, ViewState } from '../block-kit/action-values.ts';
import type { ListenerContext } from './context.ts';

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
  return withLastRead(view, await together(view, read), history);
}

/** Adds the device's last result, as the first message did. */
async function withLastRead(
  { question, before, search }: View,
  answers: Answers | undefined,
  history: DeviceHistory,
): Promise<Answers | undefined> {
  if (answers === undefined || before !== undefined || search !== undefined) return answers;
  const lastRead = await history.lastBefore(question, answers);
  return lastRead === undefined ? answers : { ...answers, lastRead };
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
  if (before === undefined) return searched(view, dated(answer));
  return earlier === undefined ? undefined : { ...dated(answer), before: dated(earlier) };
}

function dated({ result, at }: Ready): Read {
  return { result, readAt: at };
}

/** What changed since the message was made, if the result is newer. Throws `StorageFailed`. */
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
  const hitSummary = await lookups.hitSummary(question, at);
  return [{ snapshotId: question.snapshotId, at, found: changesSince(hitSummary, question, result) }];
}
