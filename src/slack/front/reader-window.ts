import type { AllMiddlewareArgs, webApi } from '@slack/bolt';
import { madeOf } from '../../lookups/lookup-status.ts';
import { windowFaultNotice } from '../answer/notices.ts';
import { loadingModal, noResultModal, resultModal } from '../answer/result-window.ts';
import type { View, ViewState } from '../block-kit/action-values.ts';
import { destinationOfView, type ModalDestination } from '../block-kit/modal.ts';
import type { Click } from './click.ts';
import type { ListenerContext } from './context.ts';
import { type InWindow, onMessage, type ResultUse, redraw, showDrawn } from './result-use.ts';
import type { Show } from './windows.ts';

/** Shows this view of a result to one reader: what that person does in the window changes nothing for others. */
export function showToReader(
  show: Show,
  view: View | ViewState,
  user: string,
  context: ListenerContext,
): Promise<void> {
  return showDrawn(
    show,
    view,
    context,
    (answers) => {
      const state = { page: 0, turn: 0, ...view, askedBy: user, ...madeOf(answers) };
      return resultModal({ ...state, turn: state.turn + 1 }, answers);
    },
    {
      loading: loadingModal(view),
      instead: (why) => noResultModal(view, why),
      inWords: windowFaultNotice,
    },
  );
}

/** Opens such a window for somebody who reads a result alone. */
export function readAlone(
  { show, user, opened }: Pick<ResultUse, 'show' | 'user' | 'opened'>,
  view: View | ViewState,
  context: ListenerContext,
): Promise<void> {
  return browse(show, user, opened.origin.channel, view, context);
}

/** The same for somebody who uses no result: `opened` is where that person asked for it. */
export function openAlone(
  client: webApi.WebClient,
  triggerId: string,
  view: View,
  { user, opened }: { readonly user: string; readonly opened: ModalDestination },
  context: ListenerContext,
): Promise<void> {
  const show = context.windows.at({ client, user, triggerId }, JSON.stringify(opened));
  return browse(show, user, opened.channel, view, context);
}

function browse(
  show: Show,
  user: string,
  channel: string,
  view: View | ViewState,
  context: ListenerContext,
): Promise<void> {
  context.audit({ event: 'browsed', user, channel, snapshot: view.question.snapshotId });
  return showToReader(show, view, user, context);
}

/** The window of a reader that something happens in; it keeps where it was opened. */
export function readerWindow({ body, client }: InWindow, context: ListenerContext): Show {
  const user = body.user.id;
  const opened = destinationOfView(body.view) ?? { channel: user };
  return context.windows.at({ client, user, viewId: body.view?.id }, JSON.stringify(opened));
}

/** Shows this state where its control was used: in the message, or in the window of one reader. */
export function showState(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  state: ViewState,
  context: ListenerContext,
): Promise<void> {
  const { view, user } = click.body;
  if (view === undefined) return showInPlace(onMessage(click, state, context), state, context);
  return showToReader(readerWindow(click, context), state, user.id, context);
}

/** Shows this state in the message to whoever asked for it; to anybody else in a window of that person's own. */
export function showInPlace(use: ResultUse, state: ViewState, context: ListenerContext): Promise<void> {
  return isAsker(use) ? redraw(use, state, context) : readAlone(use, state, context);
}

/** Whether somebody uses the result that this person asked for. */
export function isAsker({ user, opened }: ResultUse): boolean {
  return user === opened.state.askedBy;
}
