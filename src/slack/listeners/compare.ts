import type { Asked } from '../../core/lookup.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import { readMessageModal } from '../block-kit/modal.ts';
import { comparisonOf } from '../commands/compare.ts';
import { parseCommand } from '../commands/parse-command.ts';
import type { Feature } from '../front/feature.ts';
import { listenToForm } from '../front/form.ts';
import { COMPARE_VIEW, compareModal, NOT_ONE_ID, OTHER_ID, SAME_SNAPSHOT } from '../views/compare-modal.ts';

/** "Compare with…" asks for the other snapshot; once submitted, a comparison with that, in a new message. */
export const compare: Feature = {
  menu: [
    {
      value: 'compare',
      may: 'ask',
      choose: ({ show, opened }) => show(compareModal(opened.state.question.snapshotId)),
    },
  ],
  listen: (on, context) =>
    listenToForm(on, COMPARE_VIEW, 'ask', context, ({ view, body }) => {
      const { origin, state } = readMessageModal(view);
      const { channel, threadTs } = origin;
      const asked = read(view.state.values[OTHER_ID]?.[OTHER_ID]?.value ?? '', state.question.snapshotId);
      if (typeof asked === 'string') return { errors: { [OTHER_ID]: asked } };
      const thread = threadTs === undefined ? {} : { threadTs, hasThread: true };
      return { asked, destination: { channel, user: body.user.id, ...thread }, input: OTHER_ID };
    }),
};

/** Reads the other id as the command would. */
function read(typed: string, snapshotId: SnapshotId): Asked | string {
  const parsed = parseCommand(typed);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return parsed.problem;
  if (parsed.kind !== 'lookup' || parsed.before !== undefined) return NOT_ONE_ID;
  const other = parsed.question.snapshotId;
  return other === snapshotId ? SAME_SNAPSHOT : comparisonOf(snapshotId, other);
}
