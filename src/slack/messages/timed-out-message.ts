import type { Fault } from '../../core/faults.ts';
import type { Lookup } from '../../core/lookup.ts';
import { viewValue } from '../block-kit/action-values.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/inert-text.ts';
import { capital, counted, subjectOf } from './words/wording.ts';

/** "Keep waiting" and "Try again" ask the same question anew, in the same message. */
export const ASK_AGAIN_ACTION = 'ask-again';

const MINUTE_MS = 60_000;
const LARGE_OR_FAILED =
  'Large snapshots can take an hour. If it never finishes, the analysis may have failed: upload the snapshot again.';
const IN_TROUBLE = 'The service stopped answering properly. Your snapshot is not the cause.';

/**
 * The wait is over without a result. Offers to go on: large analyses take long, and a failed one never ends.
 * `trouble` is why the last request failed, where it did.
 */
export function timedOutMessage(
  lookup: Omit<Lookup, 'destination'>,
  reason: string,
  trouble?: Fault,
): Message {
  const { askedBy, acceptedAt, deadline } = lookup;
  const waited = counted(Math.max(1, Math.round((deadline - acceptedAt) / MINUTE_MS)), 'minute');
  const sentence = `${capital(subjectOf(lookup))} is still not ready after ${waited}.`;
  const said = reason === '' ? [] : [`The service says: ${reason}`];
  const advice = trouble === undefined ? LARGE_OR_FAILED : IN_TROUBLE;
  return {
    text: [sentence, ...said.map(inert), advice].join(' '),
    blocks: [
      richText([words(`⚠ ${sentence}`, { bold: true })], ...[...said, advice].map((line) => [words(line)])),
      actions([button('Keep waiting', ASK_AGAIN_ACTION, viewValue(lookup))]),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}
