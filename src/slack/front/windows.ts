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
import { processingNotice } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';

/** The open window (`viewId`), or the trigger with which Slack opens one or pushes one onto another. */
type Where = {
  readonly context: Pick<ListenerContext, 'client'>;
  readonly viewId?: string | undefined;
  readonly triggerId?: string | undefined;
  readonly how?: 'open' | 'push';
};

/** Replaces the content of a window; false if it was closed, or shows what something else has put there since. */
export type Show = (view: types.ModalView) => Promise<boolean>;

/** Slack's codes for a window that was closed, and for one that was changed since. */
const OVER = ['not_found', 'hash_conflict'];

/**
 * One window: opened for the first view that is shown, unless it is open, and changed after that. A view that carries
 * nothing of its own carries `metadata`.
 */
export function windowAt({ context, triggerId = '', viewId, how = 'open' }: Where, metadata?: string): Show {
  const { views } = context.client;
  let open: { readonly id?: string; readonly hash?: string } | undefined = viewId
    ? { id: viewId }
    : undefined;
  return async (shown) => {
    const view = metadata === undefined ? shown : { private_metadata: metadata, ...shown };
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

/** Who reads: a person who uses a control, a command or a shortcut. */
type Reader = { readonly user: string; readonly context: ListenerContext };

/**
 * The results of a view, from the cache or read anew from the service. Undefined while the service processes the snapshot
 * again, or all of several. Throws every `Fault`; for several snapshots the first one if none can be read. The delivery
 * has paid for one request: throws `Refused` if the person's share does not cover the others.
 */
async function readAnswers(
  { user, context: { lookups, devices, fairShare } }: Reader,
  view: Asked,
  isAnew: boolean,
): Promise<Answers | undefined> {
  let requests = 0;
  const asking = () => {
    requests += 1;
    if (requests > 1) fairShare.pay(user, 1);
  };
  const answers = await answersTo(view, (question) => lookups.read(question, isAnew, asking));
  // A cached result was recorded when the service was asked: reading it again writes nothing.
  return answers && devices.complete(view, answers, requests > 0);
}

/**
 * Draws the results of a view; if they can't be read, `say` gets the sentence that tells why. `isAnew`: from the service,
 * even if they are in the cache.
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
    // A click can't wait for the service.
    return await (answers === undefined ? say(processingNotice(view)) : draw(answers));
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.warn({ err: error }, 'a result could not be read for a person');
    return await say(faultText(error, operator, view));
  }
}

/** After this time a window says that the result is being read: its trigger is valid for three seconds. Milliseconds. */
const SOON_MS = 500;

/** Shows a window that is drawn from a result; if reading takes longer, first a window that says so. */
export async function showDrawn(
  reader: Reader,
  show: Show,
  view: Asked,
  draw: (answers: Answers) => types.ModalView | Promise<types.ModalView>,
): Promise<void> {
  const drawn = withAnswers(reader, view, draw, noticeModal);
  // Its failure is thrown below.
  drawn.catch(() => {});
  if ((await inTime(SOON_MS, drawn)) === LATE) await show(noticeModal('Reading the result…'));
  await show(await drawn);
}

/**
 * Opens the list of a view without a message, after a command or a button of a preview. It counts as a lookup of the
 * reader.
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
    return listWindow({ channel }, whole, answers, chosen);
  });
  if (read !== undefined) await context.noteAlone(user, channel, whole, read);
}
