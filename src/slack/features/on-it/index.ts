import type { ButtonAction, types } from '@slack/bolt';
import { ON_IT_ACTION } from '../../answer/owners-line.ts';
import { readState, stateValue } from '../../block-kit/action-values.ts';
import { replaceOwned } from '../../delivery/owners.ts';
import { type ButtonClick, originOf, orTellClicker, replaceClicked } from '../../front/click.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';

/**
 * "I'm on it" on a result, for anyone. It edits the message, so that nobody is notified, and nothing but its line, so
 * that the service is not asked.
 */
export const onIt: Feature = {
  listen: (on, context) =>
    on.click<ButtonAction>(ON_IT_ACTION, { message: 'post' }, async (click) => {
      await click.ack();
      await orTellClicker(click, context, () => toggle(click, context));
    }),
};

async function toggle(click: ButtonClick, context: ListenerContext): Promise<void> {
  const origin = originOf(click);
  const { channel, messageTs: ts } = origin;
  // A private message is seen by nobody else.
  if (ts === undefined) return;
  const { user, message } = click.body;
  const { block_id: id } = click.action;
  const state = readState(id);
  const isOnIt = await context.owners.toggle({ channel, ts }, user.id, context.now());
  const { snapshotId: snapshot } = state.question;
  const outcome = isOnIt ? 'said' : 'taken back';
  context.audit({ event: 'on it', user: user.id, channel, snapshot, outcome });
  const shown: readonly types.KnownBlock[] = message?.blocks ?? [];
  const draw = (times: number) => {
    const block_id = stateValue({ ...state, turn: state.turn + times });
    const blocks = shown.map((block) => (block.block_id === id ? { ...block, block_id } : block));
    return { text: message?.text ?? '', blocks };
  };
  await replaceOwned(origin, context, draw, (drawn) => replaceClicked(click, context, drawn));
}
