import type { ButtonAction, types, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { withSearch } from '../../core/lookup.ts';
import { isTooMuch, readSearch } from '../../core/search-text.ts';
import { processingNotice, windowFaultNotice } from '../answer/fault-message.ts';
import { readState, readView, type View, type ViewState } from '../block-kit/action-values.ts';
import { destinationOfView, type ModalDestination, withDestination } from '../block-kit/modal-destination.ts';
import type { ListenerContext } from '../front/context.ts';
import { listenToForm } from '../front/form.ts';
import type { Listeners } from '../front/listeners.ts';
import { readAnswers } from '../front/reading.ts';
import {
  BROWSE_AGAIN_ACTION,
  BROWSE_VIEW,
  browseLoading,
  browseModal,
  browseNotice,
} from '../views/browse-modal.ts';
import { SEARCH_INPUT, SEARCH_TOO_LONG } from '../views/search-modal.ts';

/** Who reads a result in a modal, and the conversation that permits it. */
type Reader = { readonly user: string; readonly opened: ModalDestination };

/** The controls that only this modal has. */
export function listenToBrowsing(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(BROWSE_AGAIN_ACTION, { window: 'read' }, async ({ ack, action, body, client }) => {
    await ack();
    await browseIn(client, body.view, readView(action.value), readerOf(body.view, body.user.id), context);
  });
  listenToForm(on, BROWSE_VIEW, 'read', context, ({ view, body, client }) => {
    const [[block = '', inputs = {}] = []] = Object.entries(view.state.values).filter(
      ([, values]) => SEARCH_INPUT in values,
    );
    const search = readSearch(inputs[SEARCH_INPUT]?.value ?? '');
    if (isTooMuch(search)) return { errors: { [block]: SEARCH_TOO_LONG } };
    const shown = readState(view.blocks.at(-1)?.block_id);
    const state: ViewState = { ...withSearch(shown, search), page: 0 };
    const reader = readerOf(view, body.user.id);
    return {
      view: withDestination(browseLoading(state), reader.opened),
      work: () => browseIn(client, view, state, reader, context),
    };
  });
}

/** Opens the modal first and reads the result then, because a trigger is valid for three seconds. */
export async function openBrowsing(
  client: webApi.WebClient,
  triggerId: string,
  view: View,
  reader: Reader,
  context: ListenerContext,
): Promise<void> {
  const { user, opened: where } = reader;
  context.audit({ event: 'browsed', user, channel: where.channel, snapshot: view.question.snapshotId });
  const loading = withDestination(browseLoading(view), reader.opened);
  const id = await context.windows.show(client, triggerId, loading);
  await browseIn(client, id === undefined ? undefined : { id }, view, reader, context);
}

/** Shows this view of a result in an open modal. */
export async function browseIn(
  client: webApi.WebClient,
  open: { readonly id?: string } | undefined,
  view: View | ViewState,
  reader: Reader,
  context: ListenerContext,
): Promise<void> {
  const drawn = withDestination(await draw(view, reader, context), reader.opened);
  await context.windows.update(client, open?.id, drawn);
}

/** The reader of a modal, and where it was opened. */
export function readerOf(view: { readonly private_metadata?: string } | undefined, user: string): Reader {
  return { user, opened: destinationOfView(view) ?? { channel: user } };
}

async function draw(
  view: View | ViewState,
  { user }: Reader,
  context: ListenerContext,
): Promise<types.ModalView> {
  try {
    const answers = await readAnswers(view, context);
    if (answers === undefined) return browseNotice(view, processingNotice(view));
    const state = { page: 0, turn: 0, ...view, askedBy: user, madeAt: answers.readAt };
    const made = answers.before === undefined ? {} : { beforeMadeAt: answers.before.readAt };
    return browseModal({ ...state, ...made, turn: state.turn + 1 }, answers);
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a result could not be shown in a modal');
    return browseNotice(view, windowFaultNotice(error, view, context.operator).text);
  }
}
