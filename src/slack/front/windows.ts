import type { types } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Asked } from '../../core/lookup.ts';
import { inTime, LATE } from '../../core/time.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { answersTo } from '../../lookups/units.ts';
import { noticeModal } from '../blocks/modal.ts';
import { codeOf } from '../delivery/slack-errors.ts';
import { faultText } from '../report/faults.ts';
import { firstChoice, listWindow, wholeOf } from '../report/list.ts';
import { arrangedIn } from '../report/message-for.ts';
import { processingNotice } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';

/** An open window (Slack's modal), or the trigger to open a window or to push it on top of another window. */
export type Where = {
  readonly context: Pick<ListenerContext, 'client'>;
  readonly viewId?: string | undefined;
  /** Shows the view as the acknowledgement of a form; false if the form was acknowledged before. */
  readonly acknowledge?: ((view: types.ModalView) => Promise<boolean>) | undefined;
  readonly triggerId?: string | undefined;
  readonly how?: 'open' | 'push';
};

/** Shows a view in a window. False if the window was closed, or if something else has changed it. */
export type Show = (view: types.ModalView) => Promise<boolean>;

/** Slack's error codes for a window that was closed or has changed. */
const OVER = ['not_found', 'hash_conflict'];

/**
 * Shows views in one window: the first view opens it (unless it is open), later views replace the content. A view
 * without metadata of its own gets `metadata`.
 */
export function windowAt(where: Where, metadata?: string): Show {
  const { context, triggerId = '', viewId, how = 'open', acknowledge } = where;
  const { views } = context.client;
  let open: { readonly id?: string; readonly hash?: string } | undefined = viewId
    ? { id: viewId }
    : undefined;
  return async (shown) => {
    const view = metadata === undefined ? shown : { private_metadata: metadata, ...shown };
    if (await acknowledge?.(view)) return true;
    try {
      const { id: view_id = '', hash } = open ?? {};
      const answer =
        open === undefined
          ? await views[how]({ trigger_id: triggerId, view })
          : await views.update({ view_id, view, ...(hash !== undefined && { hash }) });
      open = answer.view ?? {};
      return true;
    } catch (error) {
      if (!OVER.includes(codeOf(error) ?? '')) throw error;
      return false;
    }
  };
}

/** The person who reads a result in a window. */
type Reader = { readonly user: string; readonly context: ListenerContext };

/**
 * The results for a view, from the cache or from the service. Undefined while the service is processing the snapshot,
 * or all of several snapshots. Throws every `Fault`; for several snapshots only if none can be read. Throws `Refused`
 * if the requests after the first exceed the person's limit.
 */
async function readAnswers(
  { user, context: { lookups, devices, fairShare } }: Reader,
  view: Asked,
  isAnew: boolean,
): Promise<Answers | undefined> {
  let requests = 0;
  if (isAnew) fairShare.payFor(user, view);
  const answers = await answersTo(view, async (question) => {
    const cached = isAnew ? undefined : await lookups.cached(question);
    if (cached !== undefined) return cached;
    if (requests++ > 0 && !isAnew) fairShare.pay(user, 1);
    return lookups.ask(question);
  });
  // A result from the cache was already recorded when the service sent it.
  return answers && devices.complete(view, answers, requests > 0);
}

/**
 * Draws the results for a view. If they can't be read, `say` gets a sentence that tells why. `isAnew`: asks the service
 * even if the results are cached.
 */
export async function withAnswers<T>(
  reader: Reader,
  view: Asked,
  draw: (answers: Answers) => T | Promise<T>,
  say: (why: string) => T | Promise<T>,
  isAnew = false,
): Promise<T> {
  const { logger, operator } = reader.context;
  try {
    const answers = await readAnswers(reader, view, isAnew);
    // A click can't wait for the analysis to end.
    return await (answers === undefined ? say(processingNotice(view)) : draw(answers));
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.warn({ err: error }, 'a result could not be read for a person');
    return await say(faultText(error, operator, view));
  }
}

/** How long a result may take before a placeholder opens the window, because the trigger soon expires. Milliseconds. */
const SOON_MS = 500;

/** Shows a window that is drawn from a result, and a placeholder first if reading the result takes long. */
export async function showDrawn(
  reader: Reader,
  show: Show,
  view: Asked,
  draw: (answers: Answers) => types.ModalView | Promise<types.ModalView>,
): Promise<void> {
  const drawn = withAnswers(reader, view, draw, noticeModal);
  // Prevents an unhandled rejection; the `await` below throws the error.
  drawn.catch(() => {});
  if ((await inTime(SOON_MS, drawn)) === LATE) await show(noticeModal('Reading the result…'));
  await show(await drawn);
}

/**
 * Opens the list of hits for a command or a button of a preview, which have no report to open it from. Adds the result
 * to the person's lookups.
 */
export async function openAlone(
  asker: Reader & { readonly triggerId: string },
  channel: string,
  view: Asked,
): Promise<void> {
  const { user, context } = asker;
  context.audit({ event: 'browsed', user, channel, snapshot: view.question.snapshotId });
  const [whole, chosen] = [wholeOf(view), firstChoice(view)];
  let read: Answers | undefined;
  await showDrawn(asker, windowAt(asker), whole, (answers) => {
    read = answers;
    const arranged = arrangedIn(view, answers);
    return listWindow({ channel }, wholeOf(arranged.view), arranged.answers, chosen);
  });
  if (read !== undefined) await context.noteAlone(user, channel, whole, read);
}
