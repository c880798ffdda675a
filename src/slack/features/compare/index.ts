import { inOrder, questionsOf } from '../../../core/lookup.ts';
import { ACTION, readView } from '../../blocks/action-values.ts';
import { plain } from '../../blocks/blocks.ts';
import { input, modal } from '../../blocks/modal.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import type { Feature } from '../../front/listeners.ts';

const COMPARE_VIEW = 'compare';
/** The id of the input and of its block. */
const OTHER_ID = 'other-id';
const NOT_ANOTHER = 'Type the id of one other snapshot, or a link to it.';

/**
 * “Compare with…” asks for the other snapshot, “Report of …” shows the later snapshot of a comparison, and “Compare” is
 * on the message of a follow. All answers are posted in the thread of the message.
 */
export const compare: Feature = {
  menu: [{ value: 'compare', choose: (press) => press.show(compareModal) }],
  listen: (on, context) => {
    on.asking(ACTION.report, 'ask', (press) => press.ask({ question: press.state.question }));
    on.asking(ACTION.compare, 'ask', (press) => press.ask(readView(press.value)));
    on.form(COMPARE_VIEW, 'ask', (press) => {
      const { snapshotId } = press.state.question;
      const parsed = parseCommand(press.field(OTHER_ID), context.serviceHosts);
      const isOne = parsed.kind === 'lookup' && questionsOf(parsed).length === 1;
      const other = isOne ? parsed.question.snapshotId : snapshotId;
      if (other === snapshotId) return { errors: { [OTHER_ID]: NOT_ANOTHER } };
      const asked = inOrder({ snapshotId, set: 'all' }, { snapshotId: other, set: 'all' });
      return { asked, destination: press.beside };
    });
  },
};

const compareModal = modal(
  { title: 'Compare snapshots', callbackId: COMPARE_VIEW, submit: 'Compare', close: 'Cancel' },
  [
    input(OTHER_ID, 'The other snapshot', {
      type: 'plain_text_input',
      placeholder: plain('An earlier or a later id, or a link to it'),
      focus_on_load: true,
    }),
  ],
);
