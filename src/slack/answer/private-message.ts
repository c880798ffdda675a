import { actions, button, type Message, smallPrint } from '../block-kit/blocks.ts';
import { withoutOnIt } from './owners-line.ts';

/** The button that posts for everybody what only the asker sees. */
export const SHOW_TO_ALL_ACTION = 'show-to-everyone';

const SPOKEN = 'Show to everyone in this conversation';

/** A private result, with the offer to show it to everyone. `shows`: the view that is then shown, as a value. */
export function withShow(message: Message, shows: string): Message {
  const offer = actions([button('Show to everyone', SHOW_TO_ALL_ACTION, shows, SPOKEN)]);
  return { ...message, blocks: [...withoutOnIt(message).blocks, offer] };
}

/** The first private message of a lookup, which says why only one person sees it, and how to change that. */
export function withInvitation(message: Message, channel: string, botUser: string | undefined): Message {
  return { ...message, blocks: [...message.blocks, smallPrint(why(channel, botUser))] };
}

function why(channel: string, botUser: string | undefined): string {
  // Apps can't be invited into the direct messages of two people.
  if (channel.startsWith('D'))
    return 'Only you can see this: apps can’t join direct messages between people.';
  const [name, invite] =
    botUser === undefined ? ['this app', 'invite it'] : [`<@${botUser}>`, `type /invite <@${botUser}>`];
  return `Only you can see this: ${name} is not in this conversation. To get answers here for everyone, ${invite}.`;
}
