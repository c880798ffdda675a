import type { types } from '@slack/bolt';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import { plain } from '../block-kit/blocks.ts';
import { modal } from '../block-kit/modal.ts';

export const COMPARE_VIEW = 'compare';
/** The same for block and element: there is one of each. */
export const OTHER_ID = 'other-id';

/** What the modal says of an answer that it can't use. */
export const SAME_SNAPSHOT = 'That is this snapshot: type the id of another one.';
export const NOT_ONE_ID = 'Type one snapshot id, or a link to a snapshot.';

/** Asks with which snapshot a result is to be compared. */
export function compareModal(snapshotId: SnapshotId): types.ModalView {
  return modal({ title: 'Compare snapshots', callbackId: COMPARE_VIEW, submit: 'Compare', close: 'Cancel' }, [
    {
      type: 'input',
      block_id: OTHER_ID,
      label: plain(`Compare snapshot ${snapshotId} with`),
      hint: plain('The id of an earlier or a later snapshot, or a link to it.'),
      element: {
        type: 'plain_text_input',
        action_id: OTHER_ID,
        placeholder: plain('26808463'),
        focus_on_load: true,
      },
    },
  ]);
}
