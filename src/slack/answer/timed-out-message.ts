import type { Fault } from '../../core/faults.ts';
import type { Asked, Lookup } from '../../core/lookup.ts';
import { viewValue } from '../block-kit/action-values.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/inert-text.ts';
import { faultSentence } from './words/fault-sentences.ts';
import type { Operator } from './words/operator.ts';
import { capital, counted, subjectOf } from './words/wording.ts';

/** "Keep waiting" and "Try again" ask the same question anew, in the same message. */
export const ASK_AGAIN_ACTION = 'ask-again';

const MINUTE_MS = 60_000;
const LARGE_OR_FAILED =
  'Large snapshots can take an hour. If it never finishes, the analysis may have failed: upload the snapshot again.';

/**
 * The wait is over without a result. Offers to go on: large analyses take long, and a failed one never ends.
 * `trouble` is why the last request failed, where it did: then nobody knows how far the analysis is.
 */
export function timedOutMessage(
  lookup: Omit<Lookup, 'destination'>,
  operator: Operator,
  { reason, trouble }: { readonly reason: string; readonly trouble?: Fault },
): Message {
  const { askedBy, acceptedAt, deadline } = lookup;
  const waited = counted(Math.max(1, Math.round((deadline - acceptedAt) / MINUTE_MS)), 'minute');
  const sentence = `${notReady(lookup, trouble)} after ${waited}.`;
  const said = reason === '' ? [] : [`The service says: ${reason}`];
  const advice = trouble === undefined ? LARGE_OR_FAILED : inTrouble(trouble, lookup, operator);
  return {
    text: [sentence, ...said.map(inert), advice].join(' '),
    blocks: [
      richText([words(`⚠ ${sentence}`, { bold: true })], ...[...said, advice].map((line) => [words(line)])),
      actions([button('Keep waiting', ASK_AGAIN_ACTION, viewValue(lookup))]),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}

/** The beginning of a sentence: that there is no result, and that the snapshot is not ready where that is known. */
export function notReady(asked: Asked, trouble: Fault | undefined): string {
  const subject = subjectOf(asked);
  return trouble === undefined
    ? `${capital(subject)} is still not ready`
    : `There is still no result of ${subject}`;
}

function inTrouble(trouble: Fault, { question }: Asked, operator: Operator): string {
  const { what } = faultSentence(trouble, { snapshotId: question.snapshotId, operator });
  return `${what} If it keeps happening, ask ${operator.contact}.`;
}
