import type { ButtonAction, types } from '@slack/bolt';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import type { Asked, Destination } from '../../../core/lookup.ts';
import { inOrder, isDirect, questionsOf, responseUrl } from '../../../core/lookup.ts';
import { isOfOne } from '../../answer/result-model.ts';
import { COMPARE_LAST_ACTION } from '../../answer/since.ts';
import { readView } from '../../block-kit/action-values.ts';
import { plain } from '../../block-kit/blocks.ts';
import { modal, type Origin, readMessageModal } from '../../block-kit/modal.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import { accept, listenToForm } from '../../front/accept.ts';
import { originOf } from '../../front/click.ts';
import type { Feature } from '../../front/result-use.ts';
import { onFirstPress } from '../../front/turns.ts';

const COMPARE_VIEW = 'compare';
/** The same for block and element: there is one of each. */
const OTHER_ID = 'other-id';
const SAME_SNAPSHOT = 'That is this snapshot: type the id of another one.';
const NOT_ONE_ID = 'Type one snapshot id, or a link to a snapshot.';

/**
 * "Compare with…" asks for the other snapshot; "Compare" is on a result whose device was read before. Both lead to a
 * comparison in the thread of that result.
 */
export const compare: Feature = {
  menu: [
    {
      value: 'compare',
      label: (model) => (isOfOne(model) ? 'Compare with…' : undefined),
      may: 'ask',
      choose: ({ show }) => show(compareModal()),
    },
  ],
  listen: (on, context) => {
    listenToForm(on, COMPARE_VIEW, 'ask', context, ({ view, body }) => {
      const { origin, state } = readMessageModal(view);
      const asked = read(view.state.values[OTHER_ID]?.[OTHER_ID]?.value ?? '', state.question.snapshotId);
      if (typeof asked === 'string') return { errors: { [OTHER_ID]: asked } };
      return { asked, destination: { ...besideOf(origin), user: body.user.id }, input: OTHER_ID };
    });
    on.click<ButtonAction>(COMPARE_LAST_ACTION, { message: 'ask' }, async (click) => {
      const { user, response_url: url, trigger_id: deliveryId, container } = click.body;
      const { action_id: name, value = '' } = click.action;
      const { show: _shown, ...asked } = readView(value);
      const response = responseUrl(url, false, context.now());
      const destination = { ...besideOf(originOf(click)), user: user.id, response };
      const press = [user.id, String(container.message_ts), name, value];
      await onFirstPress(context, press, () => accept(asked, { deliveryId, destination }, context));
    });
  },
};

/** The thread of the result; nobody else reads a direct message, which needs none. */
function besideOf({ channel, messageTs, threadTs }: Origin): Omit<Destination, 'user'> {
  if (threadTs !== undefined) return { channel, threadTs, hasThread: true };
  return messageTs === undefined || isDirect(channel) ? { channel } : { channel, threadTs: messageTs };
}

/** Reads the other id as the command would. */
function read(typed: string, snapshotId: SnapshotId): Asked | string {
  const parsed = parseCommand(typed);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return parsed.problem;
  if (parsed.kind !== 'lookup' || questionsOf(parsed).length > 1) return NOT_ONE_ID;
  const other = parsed.question.snapshotId;
  return other === snapshotId
    ? SAME_SNAPSHOT
    : inOrder({ snapshotId, set: 'hit' }, { snapshotId: other, set: 'hit' });
}

/** Asks with which snapshot a result is to be compared. */
export function compareModal(): types.ModalView {
  const frame = {
    title: 'Compare snapshots',
    callbackId: COMPARE_VIEW,
    submit: 'Compare',
    close: 'Cancel',
  } as const;
  return modal(frame, [
    {
      type: 'input',
      block_id: OTHER_ID,
      label: plain('The other snapshot'),
      element: {
        type: 'plain_text_input',
        action_id: OTHER_ID,
        placeholder: plain('An earlier or a later id, or a link to it'),
        focus_on_load: true,
      },
    },
  ]);
}
