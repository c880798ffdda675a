import type { types } from '@slack/bolt';
import { actions, button, type Message, plain, richText, smallPrint, words } from '../../block-kit/blocks.ts';
import { modal } from '../../block-kit/modal.ts';

export const HAND_TO_ACTION = 'hand-over-to';
export const TAKE_OVER_ACTION = 'take-over';
export const RELEASE_ACTION = 'release';

/** Asks who is on a result from now on, and each choice is carried out at once; `isOwn`: whoever opened it is on it. */
export function handOverModal(isOwn: boolean): types.ModalView {
  const placeholder = plain('Choose somebody');
  return modal({ title: 'Hand over' }, [
    actions([
      { type: 'users_select', action_id: HAND_TO_ACTION, placeholder },
      ...(isOwn ? [] : [button("I'm on it", TAKE_OVER_ACTION)]),
      button('Release', RELEASE_ACTION, undefined, 'Release: nobody is on it'),
    ]),
    smallPrint('It happens as soon as you choose. Whoever gets it is mentioned once, in the thread.'),
  ]);
}

/** Says in a window who is on it now, or that nobody is; mrkdwn. */
export function nowOnIt(user: string | undefined): string {
  return user === undefined ? 'Nobody is on it now.' : `<@${user}> is on it now.`;
}

/** Tells somebody in the thread that they are on it now, once. */
export function handedOverMessage(user: string, by: string, about: string): Message {
  const said = ` handed ${about} over to you.`;
  const mention = (user_id: string) => ({ type: 'user', user_id }) as const;
  return {
    text: `<@${user}>: <@${by}>${said}`,
    blocks: [richText([mention(user), words(': '), mention(by), words(said)])],
  };
}
