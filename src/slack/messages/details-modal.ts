import type { types } from '@slack/bolt';
import { actions, button, smallPrint } from '../blocks.ts';
import { type HitValue, hitValue, type View } from '../button-values.ts';
import { LIMITS, shorten } from '../limits.ts';
import type { ShownHit } from '../shown-hits.ts';
import { wholeHit } from './whole-hit.ts';

export const PREVIOUS_PART_ACTION = 'part-previous';
export const NEXT_PART_ACTION = 'part-next';
export const PREVIOUS_HIT_ACTION = 'hit-previous';
export const NEXT_HIT_ACTION = 'hit-next';
export const SHARE_ACTION = 'hit-share';

const REFUSED = '⚠ The bot could not post there. Where it is no member, invite it and share again.';

/** A modal may have 100 blocks; fewer are read with less scrolling. */
const BLOCKS_A_PART = 30;
const PART_JSON = 20_000;

export type DetailsView = {
  readonly view: View;
  /** Everything that the message lists, in its order; `index` counts from 0 and is one of them. */
  readonly hits: readonly ShownHit[];
  readonly index: number;
  /** Counted from 0; kept within what there is. */
  readonly part: number;
  /** Whether the hit can be posted under the message, or was just now, or Slack would not take it. */
  readonly sharing: 'possible' | 'impossible' | 'done' | 'refused';
};

/** Everything that is known of one hit, whole: what does not fit one view is a part further. */
export function detailsModal(details: DetailsView): types.ModalView {
  const { hits, index, view } = details;
  const shown = hits[index];
  if (shown === undefined) throw new RangeError('there is no such hit');
  const parts = partsOf(shown, view);
  const number = Math.min(Math.max(details.part, 0), parts.length - 1);
  return {
    type: 'modal',
    title: { type: 'plain_text', text: shorten(`Hit ${index + 1} of ${hits.length}`, LIMITS.modalTitle) },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [
      ...(parts[number] ?? []),
      ...(parts.length > 1 ? [smallPrint(`Part ${number + 1} of ${parts.length} of a long text`)] : []),
      ...partButtons({ view, hit: index, name: shown.hit.name }, number, parts.length),
      ...hitButtons(details, number),
    ],
  };
}

/** To the hits beside this one, and under the message for everyone. */
function hitButtons({ view, hits, index, sharing }: DetailsView, part: number): types.KnownBlock[] {
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
    ...(index > 0 ? [go('◂ Previous hit', PREVIOUS_HIT_ACTION, index - 1)] : []),
    ...(index < hits.length - 1 ? [go('Next hit ▸', NEXT_HIT_ACTION, index + 1)] : []),
    ...(sharing === 'possible' || sharing === 'refused' ? [share] : []),
  ];
  return [
    ...(sharing === 'done' ? [smallPrint('✓ Shared in the thread of the message.')] : []),
    ...(sharing === 'refused' ? [smallPrint(REFUSED)] : []),
    ...(buttons.length > 0 ? [actions(buttons)] : []),
  ];
}

/** A modal that only says something, in mrkdwn: whatever of it came from elsewhere is inert. */
export function noticeModal(mrkdwn: string): types.ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'Details' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: mrkdwn, verbatim: true } }],
  };
}

function partButtons(hit: Omit<HitValue, 'part'>, number: number, count: number): types.KnownBlock[] {
  const value = (part: number) => hitValue({ ...hit, part });
  const buttons = [
    ...(number > 0 ? [button('◂ Previous part', PREVIOUS_PART_ACTION, value(number - 1))] : []),
    ...(number < count - 1 ? [button('Next part ▸', NEXT_PART_ACTION, value(number + 1))] : []),
  ];
  return buttons.length > 0 ? [actions(buttons)] : [];
}

function partsOf(shown: ShownHit, view: View): types.KnownBlock[][] {
  const parts: types.KnownBlock[][] = [[]];
  let size = 0;
  for (const block of wholeHit(shown, view)) {
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
