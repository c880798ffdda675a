import type { types } from '@slack/bolt';
import type { Asked } from '../../core/lookup.ts';
import { search } from '../../core/searching.ts';
import { inTime, LATE } from '../../core/time.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import type { MessageState } from '../blocks/action-values.ts';
import type { Message } from '../blocks/blocks.ts';
import { noticeModal, type Origin } from '../blocks/modal.ts';
import { type Chosen, firstChoice, listMetadata, listWindow, searchedIn, wholeOf } from '../report/list.ts';
import { resultMessage } from '../report/message-for.ts';
import { clickFaultNotice, faultNotice } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';
import type { Interaction } from './interaction.ts';
import { withAnswers } from './reading.ts';
import { type Show, windowAt } from './windows.ts';

/** When a reader is told that reading takes longer: the trigger of a window is valid for three seconds. Milliseconds. */
const SOON_MS = 500;

/** Shows a window that is drawn from a result; one that says so before that, where the reading takes longer. */
export async function showDrawn(
  show: Show,
  view: Asked,
  context: ListenerContext,
  draw: (answers: Answers) => types.ModalView | Promise<types.ModalView>,
  inWords = clickFaultNotice,
): Promise<void> {
  const drawn = withAnswers(view, context, draw, noticeModal, 'cached', inWords);
  // Its failure is thrown below.
  drawn.catch(() => {});
  if ((await inTime(SOON_MS, drawn)) === LATE) await show(noticeModal('Reading the result…'));
  await show(await drawn);
}

/** Lists what a view is about in a window of one reader: what that person does there changes no message. */
export function showList(
  show: Show,
  view: Asked,
  chosen: Chosen,
  context: ListenerContext,
  inWords?: typeof clickFaultNotice,
): Promise<void> {
  const draw = async (answers: Answers) => {
    const { search: sought } = chosen;
    const found = sought.length === 0 ? undefined : await search(searchedIn(view, answers), sought);
    return listWindow(view, answers, chosen, found?.matches);
  };
  return showDrawn(show, view, context, draw, inWords);
}

/** Opens that window where no message was used: after a command or a shortcut. */
export function openAlone(
  asker: Pick<Interaction, 'client' | 'user' | 'triggerId' | 'context'>,
  channel: string,
  view: Asked,
): Promise<void> {
  const { user, context } = asker;
  context.audit({ event: 'browsed', user, channel, snapshot: view.question.snapshotId });
  const [whole, chosen] = [wholeOf(view), firstChoice(view)];
  const show = windowAt(asker, listMetadata({ channel }, whole, chosen));
  return showList(show, whole, chosen, context, faultNotice);
}

/** Draws the result of a message anew, for everybody. If that fails, the person who wanted it gets the reason. */
export async function redraw(press: Interaction, how: 'cached' | 'anew' = 'cached'): Promise<void> {
  const { context, origin, state } = press;
  const draw = (answers: Answers) => press.replace(drawnAgain(state, answers, origin, context));
  await withAnswers(state, context, draw, press.tell, how);
}

/** The same message once more. A private one, which has no timestamp here, keeps its offer to post it. */
export function drawnAgain(
  state: MessageState,
  answers: Answers,
  { channel, messageTs, threadTs }: Origin,
  { now, operator: { ticketUrl } }: ListenerContext,
  later = 0,
): Message {
  const around = { owner: answers.owner, channel, isPrivate: messageTs === undefined, threadTs, ticketUrl };
  // Also a window that was open for long draws it as it never was before.
  const turn = Math.max(state.turn + 1, now() + later - state.madeAt);
  return resultMessage({ ...state, turn }, answers, around);
}
