import type { types } from '@slack/bolt';
import { serialOf } from '../../../core/device-identity.ts';
import { ACCEPT_ACTION, TAKE_BACK_ACTION } from '../../answer/accepted-line.ts';
import { BACK_ACTION } from '../../answer/hit-blocks.ts';
import type { ResultModel } from '../../answer/result-model.ts';
import type { ShownHit } from '../../answer/rows.ts';
import { wholeHit } from '../../answer/whole-hit.ts';
import { capital, count, NOT_STATED } from '../../answer/wording.ts';
import { type HitValue, hitValue } from '../../block-kit/action-values.ts';
import { actions, button, smallPrint } from '../../block-kit/blocks.ts';
import { modal } from '../../block-kit/modal.ts';

export const PREVIOUS_PART_ACTION = 'part-previous';
export const NEXT_PART_ACTION = 'part-next';
export const PREVIOUS_HIT_ACTION = 'hit-previous';
export const NEXT_HIT_ACTION = 'hit-next';
/** Shows what would be shared. */
export const SHARE_ACTION = 'hit-share';
export const POST_ACTION = 'hit-post';

/** What is said of a hit that was shared just now, or that Slack refused, or may have taken. */
const SHARED = {
  done: '✓ Shared in the thread.',
  refused: '⚠ I can’t post there. Invite me to the channel, then share again.',
  unsure: '⚠ Slack didn’t say whether it took the hit: look in the thread before you share again.',
};

/** The most blocks of a part: Slack allows 100, fewer need less scrolling. */
const BLOCKS_A_PART = 30;
const PART_JSON = 20_000;

export type DetailsView = {
  readonly model: ResultModel;
  /** The index of the hit in what the model shows. */
  readonly index: number;
  /** Counted from 0; kept within what there is. */
  readonly part: number;
  /** Whether the hit can be shared in the thread, was shared just now, or what prevented it. */
  readonly sharing: 'possible' | 'impossible' | keyof typeof SHARED;
};

/**
 * All details of one hit; long ones are split into parts. The buttons to the next hit come first, so that they stay in
 * place from hit to hit.
 */
export function detailsModal(details: DetailsView): types.ModalView {
  const { model, index, sharing } = details;
  const { shown: hits, view } = model;
  const shown = hits[index];
  if (shown === undefined) throw new RangeError('there is no such hit');
  const parts = partsOf(shown, model);
  const number = Math.min(Math.max(details.part, 0), parts.length - 1);
  const title = capital(placeOf(model, index));
  const value = carried(details, index, number);
  const canShare = sharing !== 'impossible' && sharing !== 'done';
  const buttons = [
    ...(canShare ? [button('Share in thread…', SHARE_ACTION, value)] : []),
    ...acceptButtons(model, shown, value),
  ];
  return modal({ title }, [
    ...hitButtons(details),
    ...(parts[number] ?? []),
    ...(parts.length > 1 ? [smallPrint(`Part ${number + 1} of ${parts.length} of a long text`)] : []),
    ...partButtons({ view, hit: index, name: shown.hit.name }, number, parts.length),
    ...(buttons.length > 0 ? [actions(buttons)] : []),
  ]);
}

/** `hit 4 of 37`, or that it is not known to be one. */
function placeOf({ shown, noun }: ResultModel, index: number): string {
  const known = shown.filter(({ hit }) => hit.match !== 'unstated').length;
  return index < known ? `${noun} ${count(index + 1)} of ${count(known)}` : NOT_STATED;
}

/** What somebody can do about a hit: accept it for its device, if that is known, or take that back. */
function acceptButtons(
  { view, answers, units }: ResultModel,
  { hit, accepted }: ShownHit,
  value: string,
): types.Button[] {
  // Of several devices nobody could say for which.
  if (units !== undefined) return [];
  if (accepted !== undefined) return [button('Take back acceptance', TAKE_BACK_ACTION, value)];
  const isOfOne = view.before === undefined;
  const canBe = isOfOne && hit.match === 'hit' && serialOf(answers.result.device) !== undefined;
  return canBe ? [button('Accept for this device…', ACCEPT_ACTION, value)] : [];
}

/** The message that would be posted in the thread, before it is. */
export function shareModal(
  details: Omit<DetailsView, 'sharing'>,
  message: types.KnownBlock[],
): types.ModalView {
  const value = carried(details, details.index, details.part);
  return modal({ title: 'Share in the thread' }, [
    ...message,
    actions([button('Post in thread', POST_ACTION, value), button('Back', BACK_ACTION, value)]),
  ]);
}

/** What the buttons carry that lead to a hit. */
function carried({ model: { view, shown } }: Pick<DetailsView, 'model'>, to: number, part = 0): string {
  return hitValue({ view, hit: to, name: shown[to]?.hit.name ?? '', part });
}

/** Buttons to the previous and next hit, and what became of sharing this one. */
function hitButtons(details: DetailsView): types.KnownBlock[] {
  const { model, index, sharing } = details;
  const hits = model.shown.length;
  const go = (label: string, actionId: string, to: number) =>
    button(label, actionId, carried(details, to), `${label}: ${placeOf(model, to)}`);
  const buttons = [
    ...(index > 0 ? [go('◂ Previous', PREVIOUS_HIT_ACTION, index - 1)] : []),
    ...(index < hits - 1 ? [go('Next ▸', NEXT_HIT_ACTION, index + 1)] : []),
  ];
  return [
    ...(buttons.length > 0 ? [actions(buttons)] : []),
    ...(sharing === 'possible' || sharing === 'impossible' ? [] : [smallPrint(SHARED[sharing])]),
  ];
}

function partButtons(hit: Omit<HitValue, 'part'>, number: number, parts: number): types.KnownBlock[] {
  const value = (part: number) => hitValue({ ...hit, part });
  const buttons = [
    ...(number > 0 ? [button('◂ Previous part', PREVIOUS_PART_ACTION, value(number - 1))] : []),
    ...(number < parts - 1 ? [button('Next part ▸', NEXT_PART_ACTION, value(number + 1))] : []),
  ];
  return buttons.length > 0 ? [actions(buttons)] : [];
}

function partsOf(shown: ShownHit, model: ResultModel): types.KnownBlock[][] {
  const parts: types.KnownBlock[][] = [[]];
  let size = 0;
  for (const block of wholeHit(shown, model)) {
    const blockSize = JSON.stringify(block).length;
    const part = parts.at(-1);
    if (part === undefined || part.length === BLOCKS_A_PART || (size > 0 && size + blockSize > PART_JSON)) {
      parts.push([block]);
      size = blockSize;
    } else {
      part.push(block);
      size += blockSize;
    }
  }
  return parts;
}
