import type { types } from '@slack/bolt';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { type Asked, type Destination, inOrder, isDirect, questionsOf } from '../../../core/lookup.ts';
import { isOfOne } from '../../answer/result-model.ts';
import { COMPARE_LAST_ACTION } from '../../answer/since.ts';
import { readView } from '../../blocks/action-values.ts';
import { plain } from '../../blocks/blocks.ts';
import { input, modal } from '../../blocks/modal.ts';
import { parseCommand } from '../../commands/parse-command.ts';
import { accept } from '../../front/accept.ts';
import type { Feature } from '../../front/feature.ts';
import { onFirstPress } from '../../front/turns.ts';
import type { Use } from '../../front/use.ts';

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
    on.form(COMPARE_VIEW, 'ask', (use) => {
      const asked = read(use.field(OTHER_ID).value, use.state.question.snapshotId, context.serviceHosts);
      if (typeof asked === 'string') return { errors: { [OTHER_ID]: asked } };
      return { asked, destination: besideOf(use), input: OTHER_ID };
    });
    on.asking(COMPARE_LAST_ACTION, { message: 'ask' }, async (use, acknowledge) => {
      const { user, value, body, triggerId: deliveryId } = use;
      const { show: _shown, ...asked } = readView(value);
      const destination = { ...besideOf(use), response: { ...use.response, replaces: false } };
      const press = [user, String(body.container?.message_ts), COMPARE_LAST_ACTION, value];
      await onFirstPress(context, press, () =>
        accept(asked, { deliveryId, destination, acknowledge }, context),
      );
    });
  },
};

/** The thread of the result; nobody else reads a direct message, which needs none. */
function besideOf({ user, origin: { channel, messageTs, threadTs } }: Use): Destination {
  if (threadTs !== undefined) return { channel, user, threadTs, hasThread: true };
  const isAlone = messageTs === undefined || isDirect(channel);
  return { channel, user, ...(!isAlone && { threadTs: messageTs }) };
}

/** Reads the other id as the command would. */
function read(typed: string, snapshotId: SnapshotId, hosts: readonly string[]): Asked | string {
  const parsed = parseCommand(typed, hosts);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) return parsed.problem;
  if (parsed.kind !== 'lookup' || questionsOf(parsed).length > 1) return NOT_ONE_ID;
  const other = parsed.question.snapshotId;
  return other === snapshotId
    ? SAME_SNAPSHOT
    : inOrder({ snapshotId, set: 'hit' }, { snapshotId: other, set: 'hit' });
}

/** Asks with which snapshot a result is to be compared. */
export function compareModal(): types.ModalView {
  const frame = { title: 'Compare snapshots', callbackId: COMPARE_VIEW, submit: 'Compare' };
  const placeholder = plain('An earlier or a later id, or a link to it');
  const other = { type: 'plain_text_input', placeholder, focus_on_load: true } as const;
  return modal({ ...frame, close: 'Cancel' }, [input(OTHER_ID, 'The other snapshot', other)]);
}
