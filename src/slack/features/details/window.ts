import type { types } from '@slack/bolt';
import type { ResultModel, ShownHit } from '../../answer/result-model.ts';
import { wholeHit } from '../../answer/whole-hit.ts';
import { capital, count, NOT_STATED } from '../../answer/wording.ts';
import { type HitValue, hitValue } from '../../block-kit/action-values.ts';
import { actions, button, smallPrint } from '../../block-kit/blocks.ts';
import { modal } from '../../block-kit/modal.ts';

export const PREVIOUS_PART_ACTION = 'part-previous';
export const NEXT_PART_ACTION = 'part-next';
export const PREVIOUS_HIT_ACTION = 'hit-previous';
export const NEXT_HIT_ACTION = 'hit-next';
export const SHARE_ACTION = 'hit-share';

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
  const { model, index } = details;
  const { shown: hits, view, noun } = model;
  const shown = hits[index];
  if (shown === undefined) throw new RangeError('there is no such hit');
  const parts = partsOf(shown, model);
  const number = Math.min(Math.max(details.part, 0), parts.length - 1);
  const known = hits.filter(({ hit }) => hit.match !== 'unstated').length;
  const place = `${noun === 'hit' ? 'Hit' : 'Check'} ${count(index + 1)} of ${count(known)}`;
  const title = index < known ? place : capital(NOT_STATED);
  return modal({ title }, [
    ...hitButtons(details, number),
    ...(parts[number] ?? []),
    ...(parts.length > 1 ? [smallPrint(`Part ${number + 1} of ${parts.length} of a long text`)] : []),
    ...partButtons({ view, hit: index, name: shown.hit.name }, number, parts.length),
  ]);
}

/** Buttons to the previous and next hit, and to share this one. */
function hitButtons({ model, index, sharing }: DetailsView, part: number): types.KnownBlock[] {
  const { view, shown: hits } = model;
  const valueFor = (to: number, toPart = 0) =>
    hitValue({ view, hit: to, name: hits[to]?.hit.name ?? '', part: toPart });
  const go = (label: string, actionId: string, to: number) =>
    button(label, actionId, valueFor(to), `Hit ${to + 1} of ${hits.length}`);
  const share = button(
    'Share in thread',
    SHARE_ACTION,
    valueFor(index, part),
    'Share this hit in the thread',
  );
  const buttons = [
    ...(index > 0 ? [go('◂ Previous', PREVIOUS_HIT_ACTION, index - 1)] : []),
    ...(index < hits.length - 1 ? [go('Next ▸', NEXT_HIT_ACTION, index + 1)] : []),
    ...(sharing === 'impossible' || sharing === 'done' ? [] : [share]),
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
