import type { types } from '@slack/bolt';
import { oneLine } from '../../../core/texts.ts';
import { messageText, textLine } from '../../answer/message-text.ts';
import type { ResultModel } from '../../answer/result-model.ts';
import type { ShownHit } from '../../answer/rows.ts';
import { DETAILS_ACTION } from '../../answer/solutions.ts';
import { wholeHit } from '../../answer/whole-hit.ts';
import { titleOf } from '../../answer/wording.ts';
import { hitValue } from '../../block-kit/action-values.ts';
import {
  actions,
  button,
  type Message,
  richText,
  slackTime,
  smallPrint,
  words,
} from '../../block-kit/blocks.ts';
import { LIMITS, shorten, weigh } from '../../block-kit/limits.ts';

/** A hit as somebody shared it; `index` is its place in what the model shows, counted from 0. */
export type SharedHit = {
  readonly model: ResultModel;
  readonly shown: ShownHit;
  readonly index: number;
  readonly sharedBy: string;
};

/** A page of evidence at most: the rest is one click away. */
const ROOM = 5_000;
const MOST_BLOCKS = 40;

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

/** The same without its button, for the window that shows it before it is posted: from there the button would lead away. */
export function sharedHitBlocks(shared: SharedHit, ...buttons: types.KnownBlock[]): types.KnownBlock[] {
  const { model, shown, sharedBy } = shared;
  const whole = wholeHit(shown, model);
  const fitting = whatFits(whole);
  const rest = fitting.length < whole.length ? ' · the rest is in the details' : '';
  return [
    richText([words(titleFor(shared))]),
    ...fitting,
    ...buttons,
    smallPrint(`shared by <@${sharedBy}> · read ${slackTime(model.answers.readAt)}${rest}`),
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

function whatFits(blocks: readonly types.KnownBlock[]): types.KnownBlock[] {
  let room = ROOM;
  const end = blocks.slice(0, MOST_BLOCKS).findIndex((block) => {
    room -= weigh(block);
    return room < 0;
  });
  return blocks.slice(0, end === -1 ? MOST_BLOCKS : end);
}
