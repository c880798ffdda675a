import type { AllMiddlewareArgs, types, webApi } from '@slack/bolt';
import type { Question } from '../../core/lookup.ts';
import { type Answers, madeOf, type Read } from '../../lookups/lookup-status.ts';
import { withShow } from '../answer/around-message.ts';
import { clickFaultNotice, faultNotice } from '../answer/notices.ts';
import { loadingModal, noResultModal, resultModal } from '../answer/result-window.ts';
import { isNews, type Since } from '../answer/since.ts';
import { viewMessage } from '../answer/view-message.ts';
import { showValue, type View, type ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import { destinationOfView, type ModalDestination, noticeModal } from '../block-kit/modal.ts';
import { replaceOwned } from '../delivery/owners.ts';
import type { Click } from './click.ts';
import type { ListenerContext } from './context.ts';
import { cachedAnswers, withAnswers } from './reading.ts';
import { type InWindow, onMessage, type ResultUse, replaceOpened } from './result-use.ts';
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
type Reader = Pick<ResultUse, 'show' | 'user'>;

/** Shows this view of a result to one reader: what that person does in the window changes nothing for others. */
export function showToReader(
  { show, user }: Reader,
  view: View | ViewState,
  context: ListenerContext,
): Promise<void> {
  const draw = async (answers: Answers) => {
    const state = { page: 0, turn: 0, ...madeOf(answers), ...view, askedBy: user };
    const since = (await sinceMade(state, answers, context)).filter(isSaid);
    return resultModal({ ...state, turn: state.turn + 1 }, answers, since);
  };
  const instead = (why: string) => noResultModal(view, why);
  return showDrawn(show, view, context, draw, loadingModal(view), instead, faultNotice);
}

/** Opens such a window for somebody who reads a result alone. */
export function readAlone(
  { show, user, opened }: Reader & { readonly opened: { readonly origin: ModalDestination } },
  view: View | ViewState,
  context: ListenerContext,
): Promise<void> {
  const { channel } = opened.origin;
  context.audit({ event: 'browsed', user, channel, snapshot: view.question.snapshotId });
  return showToReader({ show, user }, view, context);
}

/** The same for somebody who uses no result: `opened` is where that person asked for it. */
export function openAlone(
  client: webApi.WebClient,
  triggerId: string,
  view: View,
  { user, opened: origin }: { readonly user: string; readonly opened: ModalDestination },
  context: ListenerContext,
): Promise<void> {
  const show = context.windows.at({ client, user, triggerId }, JSON.stringify(origin));
  return readAlone({ show, user, opened: { origin } }, view, context);
}

/** The reader in whose window something happens; it keeps where it was opened. */
export function readerIn({ body, client }: InWindow, { windows }: ListenerContext): Reader {
  const user = body.user.id;
  const opened = destinationOfView(body.view) ?? { channel: user };
  return { user, show: windows.at({ client, user, viewId: body.view?.id }, JSON.stringify(opened)) };
}

/** Shows this state where its control was used: in the message, or in the window of one reader. */
export function showState(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  state: ViewState,
  context: ListenerContext,
): Promise<void> {
  return click.body.view === undefined
    ? showInPlace(onMessage(click, state, context), state, context)
    : showToReader(readerIn(click, context), state, context);
}

/** Shows this state in the message to whoever asked for it; to anybody else in a window of that person's own. */
export function showInPlace(use: ResultUse, state: ViewState, context: ListenerContext): Promise<void> {
  return isAsker(use) ? redraw(use, state, context) : readAlone(use, state, context);
}

/** Whether somebody uses the result that this person asked for. */
export function isAsker({ user, opened }: ResultUse): boolean {
  return user === opened.state.askedBy;
}

/** Shows this state in the message; what prevents it is told to whoever wanted it. */
export async function redraw(
  use: ResultUse,
  state: ViewState,
  context: ListenerContext,
  how: 'cached' | 'anew' = 'cached',
): Promise<void> {
  const { origin, isPrivate } = use.opened;
  // A private message keeps its offer to show the result to everyone.
  const shows = showValue(state, state.threadTs ?? origin.threadTs);
  const replace = (message: Message) =>
    replaceOpened(use, isPrivate ? withShow(message, shows) : message, context);
  const draw = async (answers: Answers) => {
    const made = await sinceMade(state, answers, context);
    // That nothing changed is said to whoever asked.
    const since = how === 'anew' ? made : made.filter(isSaid);
    const drawn = (times: number) => viewMessage({ ...state, turn: state.turn + times }, answers, since);
    await replaceOwned(origin, context, drawn, replace);
  };
  await withAnswers<unknown>(state, context, draw, use.tell, how);
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
