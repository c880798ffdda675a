import type { webApi } from '@slack/bolt';
import type { Question } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { viewValue } from '../../blocks/action-values.ts';
import { actions, button, type Message, richText, words } from '../../blocks/blocks.ts';
import { inert, shorten } from '../../blocks/limits.ts';
import { summaryOf } from '../../report/body.ts';
import { reportBody } from '../../report/report.ts';
import { titleOf } from '../../report/words.ts';

export const SHOW_REPORT_ACTION = 'preview-show';
export const READ_PRIVATELY_ACTION = 'preview-browse';

type Unfurls = Extract<webApi.ChatUnfurlArguments, { unfurls: unknown }>['unfurls'];

/** What stands under a link. `url` is the link exactly as it was pasted; the text is for those who see no blocks. */
export function unfurlOf(url: string, { text, blocks }: Message): { readonly unfurls: Unfurls } {
  return { unfurls: { [url]: { fallback: text, blocks } } };
}

const LONGEST_TITLE = 100;
const LONGEST_STATUS = 300;

/**
 * What a snapshot is about, as its report begins: device, counts and the upgrade. All who read the conversation see it, so
 * it names no hit and no other snapshot of the device; of what was accepted, only how many.
 */
export function previewMessage(question: Question, { result, readAt, accepted = [] }: Answers): Message {
  const title = shorten(titleOf({ question }, result), LONGEST_TITLE);
  const body = reportBody({ question }, { result, readAt, accepted });
  const value = viewValue({ question });
  return {
    text: inert(`${title}: ${summaryOf(body)}`),
    blocks: [
      richText([words(title, { bold: true })], ...body.lines),
      actions([
        button('Show report', SHOW_REPORT_ACTION, value),
        button('Read privately', READ_PRIVATELY_ACTION, value),
      ]),
    ],
  };
}

/** What stands there where there is no result. */
export function statusMessage(question: Question, status: string): Message {
  const title = titleOf({ question });
  const said = shorten(status, LONGEST_STATUS);
  return {
    text: inert(`${title}: ${said}`),
    blocks: [richText([words(title, { bold: true })], [words(said)])],
  };
}

/** Of a snapshot that is being processed, with the service's reason, if it gives one. */
export function processingSentence(reason: string): string {
  const sentence = '⏳ It is still being processed.';
  return reason === '' ? sentence : `${sentence} The service says: ${reason}`;
}

/** In place of that once no result comes: it says nothing that the link does not say. */
export function endedSentence({ snapshotId }: Question): string {
  return `There is no preview: look up ${snapshotId} to see why.`;
}
