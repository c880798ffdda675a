import type { types } from '@slack/bolt';
import { type Diagnostic, hostOf } from '../../../core/diagnostics.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { indexIn, modelOf, type ResultModel } from '../../answer/result-model.ts';
import { type ShownHit, unitedOf } from '../../answer/rows.ts';
import { DETAILS_ACTION, SOLUTION_ACTION } from '../../answer/solutions.ts';
import { type HitValue, readHit, type View } from '../../blocks/action-values.ts';
import { noticeModal, type Origin, titled } from '../../blocks/modal.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import { showDrawn } from '../../front/show-result.ts';
import type { Use } from '../../front/use.ts';
import type { DetailsView, SharedHit } from './window.ts';
import { detailsModal, SHARING, sharedHitMessage, shareModal } from './window.ts';

const SOLUTIONS = new RegExp(`^${SOLUTION_ACTION}\\d+$`);
/** How long a second press of "Share" in the same window is ignored. */
const PRESSED_AGAIN_MS = 60_000;

/** The details of a hit in a window, what that leads to, and the links to solutions. */
export const details: Feature = {
  listen: (on, context) => {
    on.click(DETAILS_ACTION, { message: 'read', window: 'read' }, (use) => {
      const { client, user, triggerId, place, origin } = use;
      const value = readHit(use.value);
      const how = place === 'message' ? 'open' : 'push';
      const show = context.windows.at({ client, user, triggerId, how }, JSON.stringify(origin));
      return showDrawn(show, value.view, context, async (answers) =>
        drawn(await hitOf(answers, value, context), answers, value, origin),
      );
    });
    for (const [id, share] of Object.entries(SHARING))
      on.click(id, { window: share === 'no' ? 'read' : 'post' }, (use) => change(use, share));
    // The link opens by itself.
    on.click(SOLUTIONS, { message: 'read', window: 'read' }, async () => {});
  },
};

type FoundHit = Omit<SharedHit, 'sharedBy'>;

/** Shows in the open window what a button of it leads to, once it is shared if somebody wants that, or what would be. */
async function change(use: Use, share: 'asked' | 'wanted' | 'no'): Promise<void> {
  const { origin, context } = use;
  const value = readHit(use.value);
  const draw = async (answers: Answers) => {
    const hit = await hitOf(answers, value, context);
    if (hit === undefined || share === 'no') return drawn(hit, answers, value, origin);
    const shared = { ...hit, sharedBy: use.user };
    if (share === 'asked') return about(answers, value.view, shareModal(shared, value.part));
    return drawn(hit, answers, value, origin, await shareHit(shared, use));
  };
  await use.show(await withAnswers<types.ModalView>(value.view, context, draw, noticeModal));
}

function drawn(
  hit: FoundHit | undefined,
  answers: Answers,
  value: HitValue,
  { messageTs }: Origin,
  sharing: DetailsView['sharing'] = messageTs === undefined ? 'impossible' : 'possible',
): types.ModalView {
  if (hit === undefined) return noticeModal('The result has changed: this hit is no longer in it.');
  return about(answers, value.view, detailsModal({ ...hit, part: value.part, sharing }));
}

function about({ result }: Answers, view: View, window: types.ModalView): types.ModalView {
  return titled(window, view, view.others === undefined ? hostOf(result.device) : '');
}

/**
 * Finds the hit by its name: the service's checks change weekly, so that a result that was read again may have it at
 * another index.
 */
async function hitOf(
  answers: Answers,
  value: HitValue,
  context: ListenerContext,
): Promise<FoundHit | undefined> {
  const model = modelOf(value.view, answers);
  const index = indexIn(model.shown, value);
  const shown = model.shown[index];
  if (shown?.cells === undefined) return shown && { model, shown, index };
  const whole = await wholeIn(shown, model, context);
  return { model: { ...model, shown: model.shown.with(index, whole) }, shown: whole, index };
}

/** Each snapshot's own diagnostic, one result after the other: what is kept of several holds only beginnings of texts. */
async function wholeIn(
  { cells = [], ...shown }: ShownHit,
  { units = [] }: ResultModel,
  { lookups }: ListenerContext,
): Promise<ShownHit> {
  const found: (Diagnostic | undefined)[] = [];
  for (const [at, { question }] of units.entries()) {
    const cell = cells[at];
    const answer = cell && (await lookups.read(question));
    const isSame = ({ name, importance, title }: Diagnostic) =>
      name === cell?.name && importance === cell.importance && title === cell.title;
    found.push(answer?.kind === 'ready' ? (answer.result.diagnostics.find(isSame) ?? cell) : cell);
  }
  return { ...shown, hit: unitedOf(shown.hit, found), cells: found };
}

/** Posts one hit in its message's thread, and gives the outcome. Throws `StorageFailed`. */
async function shareHit(hit: SharedHit, use: Use): Promise<DetailsView['sharing']> {
  const { leases } = use.context;
  if (use.origin.messageTs === undefined) return 'impossible';
  const lease = `share:${use.body.view?.id}:${hit.index}`;
  if (!(await leases.acquire(lease, PRESSED_AGAIN_MS))) return 'done';
  const outcome = await use.postInThread(sharedHitMessage(hit));
  if (outcome === 'done') use.audit('shared', hit.model.view);
  else await leases.release(lease);
  return outcome;
}
