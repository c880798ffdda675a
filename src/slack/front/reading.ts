import { isFault } from '../../core/faults.ts';
import type { Asked, Question } from '../../core/lookup.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { answersTo } from '../../lookups/read-units.ts';
import { clickFaultNotice, processingNotice } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';

/** From the cache, from the service, or from the cache with all texts of several snapshots, as a file has them. */
type How = 'cached' | 'anew' | 'whole';
type Context = Pick<ListenerContext, 'lookups' | 'devices' | 'fairShare'>;

/**
 * The results of a view: from the cache, or read from the service. Undefined while the service processes the snapshot
 * again; of several, all of them. Throws every `Fault`; of several the first one where none can be read. The delivery has
 * paid for one request: throws `ShareUsedUp` where there is no room for the others.
 */
async function readAnswers(
  view: Asked,
  { lookups, fairShare, devices }: Context,
  how: How = 'cached',
): Promise<Answers | undefined> {
  let requests = 0;
  const asking = () => {
    requests += 1;
    if (requests > 1) fairShare.takeMore(1);
  };
  const read = async (question: Question) => {
    if (how !== 'anew') return lookups.read(question, asking);
    asking();
    return lookups.readAnew(question);
  };
  const side = (view.side ?? view.question.set) === 'miss' ? 'miss' : 'hit';
  const answers = await answersTo(view, read, how === 'whole' ? side : undefined);
  // What comes from the cache was recorded when the service was asked: reading it again writes nothing.
  return answers && devices.complete(view, answers, requests > 0);
}

/**
 * Draws from the results of a view. Where that can't be done for a reason that people are told, `say` gets the reason.
 * `inWords` says what a fault means where that person uses it.
 */
export async function withAnswers<T>(
  view: Asked,
  context: ListenerContext,
  draw: (answers: Answers) => T | Promise<T>,
  say: (why: string) => T | Promise<T>,
  how: How = 'cached',
  inWords = clickFaultNotice,
): Promise<T> {
  try {
    const answers = await readAnswers(view, context, how);
    // Nobody can wait for the service here.
    return await (answers === undefined ? say(processingNotice(view)) : draw(answers));
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'what somebody wanted of a result could not be done');
    return await say(inWords(error, context.operator, view).text);
  }
}

/**
 * The results of a view from the cache alone; undefined if they are not there, or are of several snapshots, whose reading
 * takes long even there. Throws `storage-failed`.
 */
export async function cachedAnswers(view: Asked, { lookups }: Context): Promise<Answers | undefined> {
  return view.others === undefined ? answersTo(view, (question) => lookups.cached(question)) : undefined;
}
