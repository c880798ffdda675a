import type { types } from '@slack/bolt';
import { count } from '../../answer/wording.ts';
import { actions, button, plain, richText, select, words } from '../../block-kit/blocks.ts';
import { LIMITS } from '../../block-kit/limits.ts';
import { modal } from '../../block-kit/modal.ts';
import { type CasePart, type CaseText, isTooLong } from './text.ts';

export const CASE_VIEW = 'case-text';
/** The id of the input's element; its block has another id for each text, so that Slack shows the new one. */
export const CASE_INPUT = 'case-text';
export const CASE_FILE_ACTION = 'case-file';
/** Chooses what the text is about. */
export const CASE_SHOW_ACTION = 'case-show';

type CaseView = {
  readonly part: CasePart;
  readonly text: string;
  /** What else it can be about; none where that is not known. */
  readonly choices: readonly CaseText[];
  /** Whether the message has a thread to post in; a private one has none. */
  readonly canPost: boolean;
  /** Why it could not be posted. */
  readonly problem?: string;
};

/** A text to copy, to change first, or to post in the thread; what is longer than a field holds comes as a file. */
export function caseModal({ part, text, choices, canPost, problem }: CaseView): types.ModalView {
  const frame = { title: 'Text for the case', callbackId: CASE_VIEW };
  const choice = choices.length < 2 ? [] : [actions([partSelect(choices, part)])];
  const post = button('Post in thread', CASE_FILE_ACTION, part, 'Post in thread: the file');
  if (isTooLong(text))
    return modal(frame, [...choice, richText([words(tooLong(text))]), ...(canPost ? [actions([post])] : [])]);
  return modal({ ...frame, submit: canPost ? 'Post in thread' : 'Done' }, [
    ...(problem === undefined ? [] : [richText([words(problem)])]),
    ...choice,
    {
      type: 'input',
      block_id: `${CASE_INPUT}-${part}`,
      label: plain('Text'),
      hint: plain('Edit it as you like, then copy it.'),
      element: {
        type: 'plain_text_input',
        action_id: CASE_INPUT,
        multiline: true,
        initial_value: text,
        max_length: LIMITS.inputText,
      },
    },
  ]);
}

function partSelect(choices: readonly CaseText[], part: CasePart): types.StaticSelect {
  const named = choices.map(({ part: value, label, text }) => ({
    label: isTooLong(text) ? `${label}, as a file` : label,
    value,
  }));
  const label = named.find(({ value }) => value === part)?.label ?? '';
  return select(label, CASE_SHOW_ACTION, [{ name: 'What the text lists', choices: named }]);
}

function tooLong(text: string): string {
  return (
    `This text has ${count(text.length)} characters, more than the ${count(LIMITS.inputText)} that a Slack form holds. ` +
    'I’m sending it to you as a .txt file in a direct message.'
  );
}
