import type { AllMiddlewareArgs } from '@slack/bolt';
import { windowFaultNotice } from '../answer/fault-message.ts';
import { noResultModal, resultModal } from '../answer/result-window.ts';
import type { View, ViewState } from '../block-kit/action-values.ts';
import { destinationOfView } from '../block-kit/modal.ts';
import type { Click } from './click.ts';
import type { ListenerContext } from './context.ts';
import { withAnswers } from './reading.ts';
import { type InWindow, onMessage, redraw, type Show, windowWith } from './result-use.ts';

/** Shows this view of a result to one reader: what that person does in the window changes nothing for others. */
export async function showToReader(
  show: Show,
  view: View | ViewState,
  user: string,
  context: ListenerContext,
): Promise<void> {
  const drawn = await withAnswers(
    view,
    context,
    (answers) => {
      const state = { page: 0, turn: 0, ...view, askedBy: user, madeAt: answers.readAt };
      const made = answers.before === undefined ? {} : { beforeMadeAt: answers.before.readAt };
      return resultModal({ ...state, ...made, turn: state.turn + 1 }, answers);
    },
    (why) => noResultModal(view, why),
    'cached',
    windowFaultNotice,
  );
  await show(drawn);
}

/** The window of a reader that something happens in; it keeps where it was opened. */
export function readerWindow({ body, client }: InWindow, context: ListenerContext): Show {
  const opened = destinationOfView(body.view) ?? { channel: body.user.id };
  return windowWith(JSON.stringify(opened), { client, viewId: body.view?.id }, context);
}

/** Shows this state where its control was used: in the message, or in the window of one reader. */
export function showState(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  state: ViewState,
  context: ListenerContext,
): Promise<void> {
  const { view, user } = click.body;
  if (view === undefined) return redraw(onMessage(click, state, context), state, context);
  return showToReader(readerWindow(click, context), state, user.id, context);
}
