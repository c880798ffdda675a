import type { App, BlockAction, ButtonAction, types, webApi } from '@slack/bolt';
import { sideOf } from '../../core/counting.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { isFault } from '../../core/faults.ts';
import type { Ready } from '../../lookups/polls.ts';
import { type HitValue, nameInValue, readHit } from '../button-values.ts';
import {
  detailsModal,
  NEXT_PART_ACTION,
  noticeModal,
  PREVIOUS_PART_ACTION,
} from '../messages/details-modal.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { DETAILS_ACTION } from '../messages/hit-blocks.ts';
import { SOLUTION_ACTION } from '../messages/solution-buttons.ts';
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
  const kept = await keptResult(value, context);
  const view = kept === undefined ? noticeModal('Reading the result once more…') : modalOf(kept, value);
  const opened = await client.views.open({ trigger_id: triggerId, view });
  if (kept === undefined) await show(client, opened.view?.id, value, context);
}

/** What can't be read from the store is read from the service. */
async function keptResult(
  { question }: HitValue,
  { lookups, logger }: ListenerContext,
): Promise<Ready | undefined> {
  try {
    return await lookups.kept(question);
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.warn({ err: error }, 'a kept result could not be read');
    return undefined;
  }
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

function modalOf({ result }: Ready, value: HitValue): types.ModalView {
  const hits = sideOf(result, 'hit');
  const index = indexOf(hits, value);
  const hit = hits[index];
  if (hit === undefined)
    return noticeModal('The result has changed since this message: the hit is no longer part of it.');
  return detailsModal({ question: value.question, hit, index, total: hits.length, part: value.part });
}

/** The service's checks change weekly: in a result that was read anew, a hit may have moved. Its name is the key. */
function indexOf(hits: readonly Diagnostic[], { hit, name }: HitValue): number {
  const isMeant = (diagnostic: Diagnostic) => nameInValue(diagnostic.name) === name;
  const there = hits[hit];
  return there !== undefined && isMeant(there) ? hit : hits.findIndex(isMeant);
}
