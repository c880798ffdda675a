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
  const { model, shown, index, sharedBy } = shared;
  const { view, answers } = model;
  const title = shorten(titleFor(shared), LIMITS.header);
  const whole = wholeHit(shown, model);
  const fitting = whatFits(whole);
  const rest = fitting.length < whole.length ? ' · the rest is in the details' : '';
  const value = hitValue({ view, hit: index, name: shown.hit.name, part: 0 });
  return {
    text: messageText([`${title}: ${textLine(shown.hit)}`], []),
    blocks: [
      richText([words(title)]),
      ...fitting,
      actions([
        button('Details', DETAILS_ACTION, value, `Details: ${oneLine(shown.hit.title || shown.hit.name)}`),
      ]),
      smallPrint(`shared by <@${sharedBy}> · read ${slackTime(answers.readAt)}${rest}`),
    ],
  };
}

/** The title of the message that it is from; of a comparison, the snapshot that the hit was found in. */
function titleFor({ model: { view, answers }, shown }: SharedHit): string {
  const { before, ...asked } = view;
  const isEarlier = shown.kind === 'cleared' && before !== undefined;
  return isEarlier ? titleOf({ question: before }, answers.before?.result) : titleOf(asked, answers.result);
}

function whatFits(blocks: readonly types.KnownBlock[]): types.KnownBlock[] {
  let room = ROOM;
  const end = blocks.slice(0, MOST_BLOCKS).findIndex((block) => {
    room -= weigh(block);
    return room < 0;
  });
  return blocks.slice(0, end === -1 ? MOST_BLOCKS : end);
}
