import type { BlockAction, ButtonAction, types, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { clickFaultNotice, processingNotice } from '../answer/fault-message.ts';
import { DETAILS_ACTION } from '../answer/hit-blocks.ts';
import { modelOf } from '../answer/model/result-model.ts';
import type { ShownHit } from '../answer/model/result-pages.ts';
import { SOLUTION_ACTION } from '../answer/parts/solution-buttons.ts';
import { type HitValue, nameInValue, readHit } from '../block-kit/action-values.ts';
import { destinationOfView } from '../block-kit/modal-destination.ts';
import { type Origin, originValue, readOrigin } from '../block-kit/origin-values.ts';
import { originOf } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';
import { cachedAnswers, readAnswers } from '../front/reading.ts';
import {
  type DetailsView,
  detailsModal,
  NEXT_HIT_ACTION,
  NEXT_PART_ACTION,
  noticeModal,
  PREVIOUS_HIT_ACTION,
  PREVIOUS_PART_ACTION,
  SHARE_ACTION,
} from '../views/details-modal.ts';
import { shareHit } from './share.ts';

const INSIDE = [PREVIOUS_PART_ACTION, NEXT_PART_ACTION, PREVIOUS_HIT_ACTION, NEXT_HIT_ACTION];
const INSIDE_ACTIONS = new RegExp(`^(?:${INSIDE.join('|')})$`);
const SOLUTIONS = new RegExp(`^${SOLUTION_ACTION}\\d+$`);

/** The details of a hit in a modal, the buttons to the hits before and after it, and the links to its solutions. */
export function listenToDetails(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(DETAILS_ACTION, { message: 'read', window: 'read' }, async (click) => {
    await click.ack();
    const { view: under, trigger_id: triggerId, user } = click.body;
    const origin =
      under === undefined ? originOf(click) : { channel: destinationOfView(under)?.channel ?? user.id };
    const detail = { value: readHit(click.action.value), origin };
    // Opened from a modal, the details are pushed onto its stack.
    const show = (view: types.ModalView) =>
      context.windows.show(click.client, triggerId, view, under === undefined ? 'open' : 'push');
    await open(click.client, show, detail, context);
  });
  on.click<ButtonAction>(INSIDE_ACTIONS, { window: 'read' }, async ({ ack, action, body, client }) => {
    await ack();
    await showIn(client, body.view?.id, detailOf(action, body), context);
  });
  on.click<ButtonAction>(SHARE_ACTION, { window: 'post' }, async ({ ack, action, body, client }) => {
    await ack();
    const shared = { ...detailOf(action, body), sharedBy: body.user.id };
    await showIn(client, body.view?.id, shared, context);
  });
  // The link opens by itself; Slack only wants an acknowledgement.
  on.click(SOLUTIONS, { message: 'read', window: 'read' }, ({ ack }) => ack());
}

/** The content of a modal: a hit, its message, and who shares it there, if anybody. */
type Detail = { readonly value: HitValue; readonly origin: Origin; readonly sharedBy?: string };

/** The hit that a button of the modal leads to. */
function detailOf({ value }: ButtonAction, { view }: Pick<BlockAction, 'view'>): Detail {
  return { value: readHit(value), origin: readOrigin(view?.private_metadata) };
}

/** Opens the modal before reading the result, unless it is cached, because a trigger is valid for three seconds. */
async function open(
  client: webApi.WebClient,
  show: (view: types.ModalView) => Promise<string | undefined>,
  detail: Detail,
  context: ListenerContext,
): Promise<void> {
  const cached = await cachedFor(detail, context);
  const view = cached === undefined ? noticeModal('Loading…') : modalOf(cached, detail);
  const viewId = await show(view);
  if (cached === undefined) await showIn(client, viewId, detail, context);
}

/** If the cache cannot be read, the result is read from the service. */
async function cachedFor({ value }: Detail, context: ListenerContext): Promise<Answers | undefined> {
  try {
    return await cachedAnswers(value.view, context);
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a cached result could not be read');
    return undefined;
  }
}

async function showIn(
  client: webApi.WebClient,
  viewId: string | undefined,
  detail: Detail,
  context: ListenerContext,
): Promise<void> {
  if (viewId === undefined) return;
  await context.windows.update(client, viewId, await read(viewId, detail, context));
}

async function read(viewId: string, detail: Detail, context: ListenerContext): Promise<types.ModalView> {
  const { view } = detail.value;
  try {
    const answers = await readAnswers(view, context);
    if (answers === undefined) return noticeModal(processingNotice(view));
    return modalOf(answers, detail, await sharing(viewId, answers, detail, context));
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'the details of a hit could not be read');
    return noticeModal(clickFaultNotice(error, view, context.operator).text);
  }
}

async function sharing(
  viewId: string,
  answers: Answers,
  { value, origin, sharedBy }: Detail,
  context: ListenerContext,
): Promise<DetailsView['sharing'] | undefined> {
  const { view } = value;
  const model = modelOf(view, answers);
  const index = indexOf(model.shown, value);
  const shown = model.shown[index];
  if (sharedBy === undefined || shown === undefined) return undefined;
  return shareHit({ model, shown, index, sharedBy }, origin, viewId, context);
}

function modalOf(
  answers: Answers,
  { value, origin }: Detail,
  sharing?: DetailsView['sharing'],
): types.ModalView {
  const { view, part } = value;
  const model = modelOf(view, answers);
  const index = indexOf(model.shown, value);
  if (index === -1) return noticeModal('The result has changed: this hit is no longer in it.');
  const canShare = origin.messageTs === undefined ? 'impossible' : 'possible';
  const modal = detailsModal({ model, index, part, sharing: sharing ?? canShare });
  return { ...modal, private_metadata: originValue(origin) };
}

/**
 * Finds the hit by its name: the service's checks change weekly, so that a result that was read again may have it at
 * another index.
 */
function indexOf(hits: readonly ShownHit[], { hit: index, name }: HitValue): number {
  const isMeant = ({ hit }: ShownHit) => nameInValue(hit.name) === name;
  const there = hits[index];
  return there !== undefined && isMeant(there) ? index : hits.findIndex(isMeant);
}
