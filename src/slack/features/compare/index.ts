import type { types } from '@slack/bolt';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { type Asked, inOrder, questionsOf } from '../../../core/lookup.ts';
import { readView } from '../../blocks/action-values.ts';
import { plain } from '../../blocks/blocks.ts';
import { input, modal } from '../../blocks/modal.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import { accept } from '../../front/accept.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { COMPARE_LAST_ACTION, REPORT_ACTION } from '../../report/controls.ts';

const COMPARE_VIEW = 'compare';
/** The same for block and element: there is one of each. */
const OTHER_ID = 'other-id';
const SAME_SNAPSHOT = 'That is this snapshot: type the id of another one.';
const NOT_ONE_ID = 'Type one snapshot id, or a link to a snapshot.';

/**
 * "Compare with…" asks for the other snapshot, "Report of …" below a comparison for the report of the later
 * one, and "Compare" below a word of a follow. All are answered in the thread of the message.
 */
export const compare: Feature = {
  menu: [
    {
      value: 'compare',
      choose: ({ show }) => show(compareModal()),
    },
  ],
  listen: (on, context) => {
    const onPress = (id: string, askedBy: (press: Interaction) => Asked) =>
      on.asking(id, { message: 'ask' }, (press, acknowledge) => {
        const { triggerId: deliveryId, beside: destination } = press;
        return accept(askedBy(press), { deliveryId, destination, acknowledge }, context);
      });
    onPress(REPORT_ACTION, ({ state }) => ({ question: state.question }));
    onPress(COMPARE_LAST_ACTION, ({ value }) => readView(value));
    on.form(COMPARE_VIEW, 'ask', (press) => {
      const asked = read(press.field(OTHER_ID), press.state.question.snapshotId, context.serviceHosts);
      if (typeof asked === 'string') return { errors: { [OTHER_ID]: asked } };
      return { asked, destination: press.beside, input: OTHER_ID };
    });
  },
};

/** Reads the other id as the command would. */
function read(typed: string, snapshotId: SnapshotId, hosts: readonly string[]): Asked | string {
  const parsed = parseCommand(typed, hosts);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return parsed.problem;
  if (parsed.kind !== 'lookup' || questionsOf(parsed).length > 1) return NOT_ONE_ID;
  const other = parsed.question.snapshotId;
  return other === snapshotId
    ? SAME_SNAPSHOT
    : inOrder({ snapshotId, set: 'all' }, { snapshotId: other, set: 'all' });
}

/** Asks with which snapshot a result is to be compared. */
function compareModal(): types.ModalView {
  const frame = { title: 'Compare snapshots', callbackId: COMPARE_VIEW, submit: 'Compare' };
  const placeholder = plain('An earlier or a later id, or a link to it');
  const other = { type: 'plain_text_input', placeholder, focus_on_load: true } as const;
  return modal({ ...frame, close: 'Cancel' }, [input(OTHER_ID, 'The other snapshot', other)]);
}
