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
