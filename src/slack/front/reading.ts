import type { types, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Asked, Question } from '../../core/lookup.ts';
import { search } from '../../core/searching.ts';
import { inTime, LATE } from '../../core/time.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { answersTo } from '../../lookups/units.ts';
import { noticeModal } from '../blocks/modal.ts';
import { faultText } from '../report/faults.ts';
import { type Chosen, firstChoice, listMetadata, listWindow, searchedIn, wholeOf } from '../report/list.ts';
import { processingNotice } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';
import { type Show, windowAt } from './windows.ts';

/** From the cache, or from the service. */
type How = 'cached' | 'anew';
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
  const answers = await answersTo(view, read);
  // What comes from the cache was recorded when the service was asked: reading it again writes nothing.
  return answers && devices.complete(view, answers, requests > 0);
}

/**
 * Draws from the results of a view. Where that can't be done for a reason that people are told, `say` gets the reason.
 */
export async function withAnswers<T>(
  view: Asked,
  context: ListenerContext,
  draw: (answers: Answers) => T | Promise<T>,
  say: (why: string) => T | Promise<T>,
  how: How = 'cached',
): Promise<T> {
  try {
    const answers = await readAnswers(view, context, how);
    // A click can't wait for the service.
    return await (answers === undefined ? say(processingNotice(view)) : draw(answers));
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a result could not be read for a person');
    return await say(faultText(error, context.operator, view));
  }
}

/**
 * The results of a view from the cache alone; undefined if they are not there, or are of several snapshots, whose reading
 * takes long even there. Throws `storage-failed`.
 */
export async function cachedAnswers(view: Asked, { lookups }: Context): Promise<Answers | undefined> {
  return view.others === undefined ? answersTo(view, (question) => lookups.cached(question)) : undefined;
}

/** The longest time without a word while a result is read: the trigger of a window is valid for three seconds. Milliseconds. */
const SOON_MS = 500;

/** Shows a window that is drawn from a result; one that says so before that, where the reading takes longer. */
export async function showDrawn(
  show: Show,
  view: Asked,
  context: ListenerContext,
  draw: (answers: Answers) => types.ModalView | Promise<types.ModalView>,
): Promise<void> {
  const drawn = withAnswers(view, context, draw, noticeModal);
  // Its failure is thrown below.
  drawn.catch(() => {});
  if ((await inTime(SOON_MS, drawn)) === LATE) await show(noticeModal('Reading the result…'));
  await show(await drawn);
}

/** Lists what a view is about in a window of one reader: what that person does there changes no message. */
export function showList(show: Show, view: Asked, chosen: Chosen, context: ListenerContext): Promise<void> {
  return showDrawn(show, view, context, (answers) => drawList(view, answers, chosen));
}

async function drawList(view: Asked, answers: Answers, chosen: Chosen): Promise<types.ModalView> {
  const { search: sought } = chosen;
  const found = sought.length === 0 ? undefined : await search(searchedIn(view, answers), sought);
  return listWindow(view, answers, chosen, found?.matches);
}

/** Opens that window where no message was used: after a command or a shortcut. It counts as a lookup of the reader. */
export async function openAlone(
  asker: {
    readonly client: webApi.WebClient;
    readonly user: string;
    readonly triggerId: string;
    readonly context: ListenerContext;
  },
  channel: string,
  view: Asked,
): Promise<void> {
  const { user, context } = asker;
  context.audit({ event: 'browsed', user, channel, snapshot: view.question.snapshotId });
  const [whole, chosen] = [wholeOf(view), firstChoice(view)];
  const show = windowAt(asker, listMetadata({ channel }, whole, chosen));
  let read: Answers | undefined;
  const draw = (answers: Answers) => {
    read = answers;
    return drawList(whole, answers, chosen);
  };
  await showDrawn(show, whole, context, draw);
  if (read !== undefined) await context.noteAlone(user, channel, whole, read);
}
