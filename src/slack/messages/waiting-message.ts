import type { Fault } from '../../core/faults.ts';
import type { Lookup } from '../../core/lookup.ts';
import { type Message, richText, smallPrint, words } from '../blocks.ts';
import { inert } from '../inert-text.ts';
import { slackTime } from './slack-time.ts';

/** `editable`: whether this very message will change, or a new one follow. `since` is epoch milliseconds. */
export type WaitingView = {
  readonly lookup: Pick<Lookup<unknown>, 'question' | 'askedBy' | 'deadline'>;
  readonly since: number;
  readonly reason: string;
  readonly trouble: Fault | undefined;
  readonly editable: boolean;
};

/** Said at once when a snapshot is not ready: what is awaited, why, since when, for whom, and what happens next. */
export function waitingMessage({ lookup, since, reason, trouble, editable }: WaitingView): Message {
  const sentence = `Snapshot ${lookup.question.snapshotId} is still being processed.`;
  const because = reason === '' ? '' : `The service says: ${reason}`;
  const stumbling =
    trouble === undefined ? '' : 'The service does not answer properly at the moment; I go on asking.';
  const said = [because, stumbling].filter((line) => line !== '');
  const ending = editable ? 'this message will show the result' : 'the result will follow';
  return {
    text: [sentence, ...said.map(inert)].join(' '),
    blocks: [
      richText([words(`⏳ ${sentence}`, { bold: true })], ...said.map((line) => [words(line)])),
      smallPrint(
        `asked by <@${lookup.askedBy}> · waiting since ${slackTime(since)} · ` +
          `${ending}, or say at ${slackTime(lookup.deadline)} that it is not ready`,
      ),
    ],
  };
}
