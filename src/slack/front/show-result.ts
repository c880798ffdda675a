import type { types } from '@slack/bolt';
import type { Question } from '../../core/lookup.ts';
import { type Answers, madeOf, type Read } from '../../lookups/lookup-status.ts';
import { withShow } from '../answer/around-message.ts';
import { clickFaultNotice, faultNotice } from '../answer/notices.ts';
import { loadingModal, noResultModal, resultModal } from '../answer/result-window.ts';
import { isNews, type Since } from '../answer/since.ts';
import { viewMessage } from '../answer/view-message.ts';
import { showValue, type View, type ViewState } from '../blocks/action-values.ts';
import type { Message } from '../blocks/blocks.ts';
import { noticeModal, type Origin } from '../blocks/modal.ts';
import { replaceOwned } from '../delivery/owners.ts';
import type { ListenerContext } from './context.ts';
import { cachedAnswers, withAnswers } from './reading.ts';
import type { Use } from './use.ts';
import type { Show } from './windows.ts';

/**
 * Shows a window that is drawn from a result: at once where that is cached, else after one that says so, because a trigger
 * is valid for three seconds. `instead` says why there is no result; `inWords` as for `withAnswers`.
 */
export async function showDrawn(
  show: Show,
  view: View,
  context: ListenerContext,
  draw: (answers: Answers) => types.ModalView | Promise<types.ModalView>,
  loading = noticeModal('Reading the result…'),
  instead = noticeModal,
  inWords = clickFaultNotice,
): Promise<void> {
  const cached = await cachedAnswers(view, context).catch(() => undefined);
  if (cached === undefined) await show(loading);
  await show(await withAnswers(view, context, draw, instead, 'cached', inWords));
}

/** Who reads a result alone, and in which window. */
type Reader = Pick<Use, 'user' | 'context'> & {
  readonly origin: Pick<Origin, 'channel'>;
  readonly show: Show;
};

/** Shows this view of a result to one reader: what that person does in the window changes nothing for others. */
export function showToReader(
  { user, origin: { channel }, show, context }: Reader,
  view: View | ViewState,
): Promise<void> {
  const draw = async (answers: Answers) => {
    const state = { page: 0, turn: 0, ...madeOf(answers), ...view, askedBy: user };
    const since = (await sinceMade(state, answers, context)).filter(isSaid);
    return resultModal({ ...state, turn: state.turn + 1 }, answers, since);
  };
  const instead = (why: string) => noResultModal(view, why);
  const carrying: Show = (window) => show({ ...window, private_metadata: JSON.stringify({ channel }) });
  return showDrawn(carrying, view, context, draw, loadingModal(view), instead, faultNotice);
}

/** Opens such a window for somebody who reads a result alone. */
export function readAlone(reader: Reader, view: View | ViewState): Promise<void> {
  const { user, origin, context } = reader;
  const { snapshotId: snapshot } = view.question;
  context.audit({ event: 'browsed', user, channel: origin.channel, snapshot });
  return showToReader(reader, view);
}

/** The same for somebody who uses no result, in this conversation. */
export function openAlone(
  asker: Pick<Use, 'client' | 'user' | 'triggerId' | 'context'>,
  channel: string,
  view: View,
): Promise<void> {
  const { user, context } = asker;
  return readAlone({ user, context, origin: { channel }, show: context.windows.at(asker) }, view);
}

/** Shows this state where its control was used: in the message, or in the window of one reader. */
export function showState(use: Use, state: ViewState): Promise<void> {
  return use.place === 'message' ? showInPlace(use, state) : showToReader(use, state);
}

/** Shows this state in the message to whoever asked for it; to anybody else in a window of that person's own. */
export function showInPlace(use: Use, state: ViewState): Promise<void> {
  return isAsker(use) ? redraw(use, state) : readAlone(use, state);
}

/** Whether somebody uses the result that this person asked for. */
export function isAsker({ user, state }: Use): boolean {
  return user === state.askedBy;
}

/** Shows this state in the message; what prevents it is told to whoever wanted it. */
export async function redraw(use: Use, state: ViewState, how: 'cached' | 'anew' = 'cached'): Promise<void> {
  const { context, origin } = use;
  // A private message keeps its offer to show the result to everyone.
  const shows = showValue(state, state.threadTs ?? origin.threadTs);
  const replace = (message: Message) =>
    use.replace(origin.messageTs === undefined ? withShow(message, shows) : message);
  const draw = async (answers: Answers) => {
    const made = await sinceMade(state, answers, context);
    // That nothing changed is said to whoever asked.
    const since = how === 'anew' ? made : made.filter(isSaid);
    const drawn = (times: number) => viewMessage({ ...state, turn: state.turn + times }, answers, since);
    await replaceOwned(origin, context, drawn, replace);
  };
  await withAnswers(state, context, draw, use.tell, how);
}

function isSaid({ found }: Since): boolean {
  return found === undefined || isNews(found);
}

/** What changed since the message was made, if the result is newer. */
export async function sinceMade(
  { question, before, madeAt, beforeMadeAt = 0 }: ViewState,
  answers: Answers,
  { history }: Pick<ListenerContext, 'history'>,
): Promise<Since[]> {
  const since = async (asked: Question, at: number, read: Read, which: 'exact' | 'latest' = 'exact') => {
    if (which === 'exact' ? read.readAt === at : read.readAt <= at) return [];
    const found = await history.changesSince({ question: asked, at }, asked, read, which);
    return [{ snapshotId: asked.snapshotId, at, found }];
  };
  const { units } = answers;
  // Each of several snapshots has its own time: until then its latest read counts.
  if (units !== undefined) {
    const ready = units.flatMap((unit) => (unit.kind === 'ready' ? unit : []));
    return (await Promise.all(ready.map((unit) => since(unit.question, madeAt, unit, 'latest')))).flat();
  }
  const isCompared = before !== undefined && answers.before !== undefined;
  const earlier = isCompared ? await since(before, beforeMadeAt, answers.before) : [];
  return [...earlier, ...(await since(question, madeAt, answers))];
}
