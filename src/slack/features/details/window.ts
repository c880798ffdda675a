import type { types } from '@slack/bolt';
import { serialOf } from '../../../core/diagnostics.ts';
import { oneLine } from '../../../core/texts.ts';
import { messageText, textLine } from '../../answer/fitting.ts';
import { BACK_ACTION } from '../../answer/hit-blocks.ts';
import { ACCEPT_ACTION, TAKE_BACK_ACTION } from '../../answer/hit-notes.ts';
import type { ResultModel } from '../../answer/result-model.ts';
import type { ShownHit } from '../../answer/rows.ts';
import { DETAILS_ACTION } from '../../answer/solutions.ts';
import { wholeHit } from '../../answer/whole-hit.ts';
import { capital, count, titleOf } from '../../answer/wording.ts';
import { hitValue } from '../../blocks/action-values.ts';
import type { Message } from '../../blocks/blocks.ts';
import { actions, button, richText, slackTime, smallPrint, words } from '../../blocks/blocks.ts';
import { LIMITS, shorten, weigh } from '../../blocks/limits.ts';
import { modal } from '../../blocks/modal.ts';

/** Shows what would be shared. */
const SHARE_ACTION = 'hit-share';
const POST_ACTION = 'hit-post';

/** The buttons of these windows that carry a hit, and whether the hit is shared then, or what would be shared is shown. */
export const SHARING: Readonly<Record<string, 'no' | 'asked' | 'wanted'>> = {
  'hit-previous': 'no',
  'hit-next': 'no',
  'part-previous': 'no',
  'part-next': 'no',
  [BACK_ACTION]: 'no',
  [SHARE_ACTION]: 'asked',
  [POST_ACTION]: 'wanted',
};

/** What is said of a hit that was shared just now, or that Slack refused, or may have taken. */
const SHARED = {
  done: '✓ Shared in the thread.',
  refused: '⚠ I can’t post there. Invite me to the channel, then share again.',
  unsure: '⚠ Slack didn’t say whether it took the hit: look in the thread before you share again.',
};

/** The most blocks of a part: Slack allows 100, fewer need less scrolling. */
const BLOCKS_A_PART = 30;
const PART_JSON = 20_000;
/** Of a shared hit a page of evidence at most: the rest is one click away. */
const MOST_BLOCKS = 40;
const ROOM = 5_000;

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
  const shown = model.shown[index];
  if (shown === undefined) throw new RangeError('there is no such hit');
  const parts = partsOf(wholeHit(shown, model), BLOCKS_A_PART, PART_JSON);
  const number = Math.min(Math.max(details.part, 0), parts.length - 1);
  const title = capital(placeOf(model, index));
  const value = carried(details, index, number);
  const canShare = sharing !== 'impossible' && sharing !== 'done';
  const buttons = [
    ...(canShare ? [button('Share in thread…', SHARE_ACTION, value)] : []),
    ...acceptButtons(model, shown, value),
  ];
  return modal({ title }, [
    ...around('hit', index, model.shown.length, (to) => [carried(details, to), placeOf(model, to)]),
    ...(sharing === 'possible' || sharing === 'impossible' ? [] : [smallPrint(SHARED[sharing])]),
    ...(parts[number] ?? []),
    ...(parts.length > 1 ? [smallPrint(`Part ${number + 1} of ${parts.length} of a long text`)] : []),
    ...around('part', number, parts.length, (to) => [carried(details, index, to)]),
    ...(buttons.length > 0 ? [actions(buttons)] : []),
  ]);
}

/** `hit 4 of 37` */
function placeOf({ shown, noun }: ResultModel, index: number): string {
  return `${noun} ${count(index + 1)} of ${count(shown.length)}`;
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

/** The message that would be posted in the thread, before it is: without its button, which would lead away from there. */
export function shareModal(shared: SharedHit, part: number): types.ModalView {
  const value = carried(shared, shared.index, part);
  return modal({ title: 'Share in the thread' }, [
    ...sharedHitBlocks(shared),
    actions([button('Post in thread', POST_ACTION, value), button('Back', BACK_ACTION, value)]),
  ]);
}

/** What the buttons carry that lead to a hit. */
function carried({ model: { view, shown } }: Pick<DetailsView, 'model'>, to: number, part = 0): string {
  return hitValue({ view, hit: to, name: shown[to]?.hit.name ?? '', part });
}

/**
 * Buttons to what comes before and after one of so many: a hit, or a part of one. `carry`: what a button carries, and where
 * it leads, in words.
 */
function around(
  what: 'hit' | 'part',
  at: number,
  count: number,
  carry: (to: number) => readonly [value: string, place?: string],
): types.KnownBlock[] {
  const name = what === 'part' ? ' part' : '';
  const ways = [
    ['previous', `◂ Previous${name}`, at - 1],
    ['next', `Next${name} ▸`, at + 1],
  ] as const;
  const buttons = ways.flatMap(([way, label, to]) => {
    if (to < 0 || to >= count) return [];
    const [value, place] = carry(to);
    return button(label, `${what}-${way}`, value, place && `${label}: ${place}`);
  });
  return buttons.length > 0 ? [actions(buttons)] : [];
}

/** Blocks in parts of at most so many and at most this weight, of which no block has more. */
function partsOf(blocks: readonly types.KnownBlock[], most: number, room: number): types.KnownBlock[][] {
  const parts: types.KnownBlock[][] = [[]];
  let taken = 0;
  for (const block of blocks) {
    const weight = weigh(block);
    taken += weight;
    if (taken > room || parts.at(-1)?.length === most) {
      parts.push([]);
      taken = weight;
    }
    parts.at(-1)?.push(block);
  }
  return parts;
}

/** A hit as somebody shared it; `index` is its place in what the model shows, counted from 0. */
export type SharedHit = {
  readonly model: ResultModel;
  readonly shown: ShownHit;
  readonly index: number;
  readonly sharedBy: string;
};

/** One hit under the message that it is from, for whoever has to act on it: whole, as far as a message can hold it. */
export function sharedHitMessage(shared: SharedHit): Message {
  const { model, shown, index } = shared;
  const { hit } = shown;
  const value = hitValue({ view: model.view, hit: index, name: hit.name, part: 0 });
  const details = button('Details', DETAILS_ACTION, value, `Details: ${oneLine(hit.title || hit.name)}`);
  return {
    text: messageText([`${titleFor(shared)}: ${textLine(hit)}`], []),
    blocks: sharedHitBlocks(shared, actions([details])),
  };
}

function sharedHitBlocks(shared: SharedHit, ...buttons: types.KnownBlock[]): types.KnownBlock[] {
  const { model, shown, sharedBy } = shared;
  const whole = wholeHit(shown, model);
  const [fitting = []] = partsOf(whole, MOST_BLOCKS, ROOM);
  const rest = fitting.length < whole.length ? ' · the rest is in the details' : '';
  return [
    richText([words(titleFor(shared))]),
    ...fitting,
    ...buttons,
    smallPrint(`shared by <@${sharedBy}> · ${slackTime(model.answers.readAt, 'read')}${rest}`),
  ];
}

/** The title of the message that it is from; of a comparison, the snapshot that the hit was found in. */
function titleFor({ model: { view, answers }, shown }: SharedHit): string {
  const { before, ...asked } = view;
  const isEarlier = shown.kind === 'cleared' && before !== undefined;
  const title = isEarlier
    ? titleOf({ question: before }, answers.before?.result)
    : titleOf(asked, answers.result);
  return shorten(title, LIMITS.header);
}
