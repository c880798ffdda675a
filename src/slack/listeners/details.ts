import type { App, BlockAction, ButtonAction, types, webApi } from '@slack/bolt';
import { sideOf } from '../../core/counting.ts';
import { isFault } from '../../core/faults.ts';
import type { Ready } from '../../lookups/polls.ts';
import { type HitValue, readHit } from '../button-values.ts';
import {
  detailsModal,
  NEXT_PART_ACTION,
  noticeModal,
  PREVIOUS_PART_ACTION,
} from '../messages/details-modal.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { DETAILS_ACTION, SOLUTION_ACTION } from '../messages/hit-blocks.ts';
import type { ListenerContext } from './context.ts';

const PARTS = new RegExp(`^(?:${PREVIOUS_PART_ACTION}|${NEXT_PART_ACTION})$`);
const SOLUTIONS = new RegExp(`^${SOLUTION_ACTION}\\d+$`);

/** The details of a hit, in a modal, and the links to its solutions. */
export function listenToDetails(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(DETAILS_ACTION, async ({ ack, action, body, client }) => {
    await ack();
    await open(client, body.trigger_id, readHit(action.value), context);
  });
  app.action<BlockAction<ButtonAction>>(PARTS, async ({ ack, action, body, client }) => {
    await ack();
    await show(client, body.view?.id, readHit(action.value), context);
  });
  // A link opens by itself; Slack only wants to be told that the click was heard.
  app.action(SOLUTIONS, ({ ack }) => ack());
}

/** A trigger lives for three seconds: what is not at hand is read after the modal stands. */
async function open(
  client: webApi.WebClient,
  triggerId: string,
  value: HitValue,
  context: ListenerContext,
): Promise<void> {
  const kept = await context.lookups.kept(value.question);
  const view = kept === undefined ? noticeModal('Reading the result once more…') : modalOf(kept, value);
  const opened = await client.views.open({ trigger_id: triggerId, view });
  if (kept === undefined) await show(client, opened.view?.id, value, context);
}

async function show(
  client: webApi.WebClient,
  viewId: string | undefined,
  value: HitValue,
  context: ListenerContext,
): Promise<void> {
  if (viewId === undefined) return;
  await client.views.update({ view_id: viewId, view: await read(value, context) });
}

async function read(
  value: HitValue,
  { lookups, loginUrl, logger }: ListenerContext,
): Promise<types.ModalView> {
  try {
    const answer = await lookups.read(value.question);
    if (answer.kind === 'ready') return modalOf(answer, value);
    return noticeModal('The service is processing this snapshot anew. Try again in a minute.');
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.warn({ err: error }, 'the details of a hit could not be read');
    return noticeModal(faultNotice(error, loginUrl).text);
  }
}

function modalOf({ result }: Ready, { question, hit: index, part }: HitValue): types.ModalView {
  const hits = sideOf(result, 'hit');
  const hit = hits[index];
  if (hit === undefined)
    return noticeModal('The result has changed since: this hit is no longer part of it.');
  return detailsModal({ question, hit, index, total: hits.length, part });
}
