import type { BlockAction, ButtonAction, types } from '@slack/bolt';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { DETAILS_ACTION } from '../../answer/hit-blocks.ts';
import { modelOf, type ShownHit } from '../../answer/result-model.ts';
import { SOLUTION_ACTION } from '../../answer/solutions.ts';
import { type HitValue, nameInValue, readHit } from '../../block-kit/action-values.ts';
import {
  destinationOfView,
  noticeModal,
  type Origin,
  originValue,
  readOrigin,
} from '../../block-kit/modal.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import { originOf } from '../../front/click.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import { type InWindow, showDrawn, windowWith } from '../../front/result-use.ts';
import { CONTROLS, listenToControls } from './controls.ts';
import { type SharedHit, sharedHitMessage } from './shared-hit.ts';
import {
  type DetailsView,
  detailsModal,
  NEXT_HIT_ACTION,
  NEXT_PART_ACTION,
  PREVIOUS_HIT_ACTION,
  PREVIOUS_PART_ACTION,
  SHARE_ACTION,
} from './window.ts';

const INSIDE = [PREVIOUS_PART_ACTION, NEXT_PART_ACTION, PREVIOUS_HIT_ACTION, NEXT_HIT_ACTION];
const SOLUTIONS = new RegExp(`^${SOLUTION_ACTION}\\d+$`);
/** How long a second press of "Share" in the same window is ignored. */
const PRESSED_AGAIN_MS = 60_000;

/** The controls of a result; the details of a hit in a window, what that leads to, and the links to solutions. */
export const details: Feature = {
  menu: CONTROLS,
  listen: (on, context) => {
    listenToControls(on, context);
    on.click<ButtonAction>(DETAILS_ACTION, { message: 'read', window: 'read' }, async (click) => {
      await click.ack();
      const { client, body, action } = click;
      const { view: under, trigger_id: triggerId, user } = body;
      const origin =
        under === undefined ? originOf(click) : { channel: destinationOfView(under)?.channel ?? user.id };
      const value = readHit(action.value);
      const how = under === undefined ? 'open' : 'push';
      const show = windowWith(originValue(origin), { client, triggerId, how }, context);
      await showDrawn(show, value.view, context, (answers) => drawn(answers, value, origin));
    });
    for (const id of INSIDE)
      on.click<ButtonAction>(id, { window: 'read' }, async (click) => {
        await click.ack();
        await change(click, context);
      });
    on.click<ButtonAction>(SHARE_ACTION, { window: 'post' }, async (click) => {
      await click.ack();
      await change(click, context, click.body.user.id);
    });
    // The link opens by itself; Slack only wants an acknowledgement.
    on.click(SOLUTIONS, { message: 'read', window: 'read' }, ({ ack }) => ack());
  },
};

type Inside = InWindow & { readonly body: Pick<BlockAction, 'view'>; readonly action: ButtonAction };

/** Shows in the open window what a button of it leads to, once it is shared if somebody wants that. */
async function change(click: Inside, context: ListenerContext, sharedBy?: string): Promise<void> {
  const { client, body, action } = click;
  const origin = readOrigin(body.view?.private_metadata);
  const value = readHit(action.value);
  const viewId = body.view?.id;
  const draw = async (answers: Answers) => {
    const hit = hitOf(answers, value);
    if (hit === undefined || sharedBy === undefined) return drawn(answers, value, origin);
    const sharing = await shareHit({ ...hit, sharedBy }, origin, viewId ?? '', context);
    return drawn(answers, value, origin, sharing);
  };
  const show = windowWith(originValue(origin), { client, viewId }, context);
  await show(await withAnswers<types.ModalView>(value.view, context, draw, noticeModal));
}

function drawn(
  answers: Answers,
  value: HitValue,
  { messageTs }: Origin,
  sharing: DetailsView['sharing'] = messageTs === undefined ? 'impossible' : 'possible',
): types.ModalView {
  const hit = hitOf(answers, value);
  if (hit === undefined) return noticeModal('The result has changed: this hit is no longer in it.');
  return detailsModal({ ...hit, part: value.part, sharing });
}

/**
 * Finds the hit by its name: the service's checks change weekly, so that a result that was read again may have it at
 * another index.
 */
function hitOf(answers: Answers, { view, hit, name }: HitValue): Omit<SharedHit, 'sharedBy'> | undefined {
  const model = modelOf(view, answers);
  const isMeant = (shown: ShownHit | undefined) =>
    shown !== undefined && nameInValue(shown.hit.name) === name;
  const index = isMeant(model.shown[hit]) ? hit : model.shown.findIndex(isMeant);
  const shown = model.shown[index];
  return shown && { model, shown, index };
}

/** Posts one hit in its message's thread, and gives the outcome. Throws `StorageFailed`. */
async function shareHit(
  hit: SharedHit,
  { channel, messageTs, threadTs = messageTs }: Origin,
  viewId: string,
  { poster, leases, logger, audit }: ListenerContext,
): Promise<DetailsView['sharing']> {
  if (threadTs === undefined) return 'impossible';
  const lease = `share:${viewId}:${hit.index}`;
  if (!(await leases.acquire(lease, PRESSED_AGAIN_MS))) return 'done';
  try {
    await poster.post({ channel, threadTs }, sharedHitMessage(hit), 'final');
    audit({ event: 'shared', user: hit.sharedBy, channel, snapshot: hit.model.view.question.snapshotId });
    return 'done';
  } catch (error) {
    logger.warn({ err: error }, 'a hit could not be shared');
    await leases.release(lease);
    return isRefused(error) ? 'refused' : 'unsure';
  }
}
