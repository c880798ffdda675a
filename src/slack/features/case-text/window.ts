import type { types } from '@slack/bolt';
import { count } from '../../answer/wording.ts';
import { actions, button, plain, richText, words } from '../../block-kit/blocks.ts';
import { LIMITS } from '../../block-kit/limits.ts';
import { modal } from '../../block-kit/modal.ts';
import type { CaseText } from './text.ts';

export const CASE_VIEW = 'case-text';
/** The id of the input's element; its block has another id for each text, so that Slack shows the new one. */
export const CASE_INPUT = 'case-text';
export const CASE_FILE_ACTION = 'case-file';
/** Followed by the kind of text to show next. */
export const CASE_SHOW_ACTION = 'case-show-';

type CaseView = {
  readonly text: string;
  readonly which: CaseText;
  /** Whether the message has a thread to post in; a private one has none. */
  readonly canPost: boolean;
  /** Why it could not be posted. */
  readonly problem?: string;
};

/** A text to copy, to change first, or to post in the thread; what is longer than a field holds comes as a file. */
export function caseModal({ text, which, canPost, problem }: CaseView): types.ModalView {
  const other =
    which === 'all'
      ? button('Links only', `${CASE_SHOW_ACTION}links`)
      : button('Whole text', `${CASE_SHOW_ACTION}all`);
  const post = button('Post in thread', CASE_FILE_ACTION, which, 'Post the file in the thread');
  const frame = { title: 'Text for the case', callbackId: CASE_VIEW };
  return !isTooLong(text)
    ? modal({ ...frame, submit: canPost ? 'Post in thread' : 'Done' }, [
        ...(problem === undefined ? [] : [richText([words(problem)])]),
        input(text, which),
        actions([other]),
      ])
    : modal(frame, [richText([words(tooLong(text))]), actions(canPost ? [post, other] : [other])]);
}

function tooLong(text: string): string {
  return (
    `At ${count(text.length)} characters, the text is too long for a Slack form (${count(LIMITS.inputText)}). ` +
    'I’m sending it to you as a .txt file in a direct message. A filter makes it shorter.'
  );
}

/** Whether it is more than a modal holds: then it comes as a file. */
export function isTooLong(text: string): boolean {
  return text.length > LIMITS.inputText;
}

function input(text: string, which: CaseText): types.InputBlock {
  return {
    type: 'input',
    block_id: `${CASE_INPUT}-${which}`,
    label: plain(which === 'all' ? 'Text' : 'Articles'),
    hint: plain('Edit it as you like, then copy it.'),
    element: {
      type: 'plain_text_input',
      action_id: CASE_INPUT,
      multiline: true,
      initial_value: text,
      max_length: LIMITS.inputText,
    },
  };
}
