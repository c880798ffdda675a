import type { types } from '@slack/bolt';
import { isDirect } from '../../core/lookup.ts';
import { readState } from '../blocks/action-values.ts';
import { actions, button, type Message, moment, richText, smallPrint, words } from '../blocks/blocks.ts';

/** Says that somebody works on what a result shows. */
export const ON_IT_ACTION = 'on-it';

/** Takes its place where somebody does. */
export const HAND_OVER_ACTION = 'hand-over';

/** Who is on it; `since` is epoch milliseconds. */
export type Owner = { readonly user: string; readonly since: number };

/** Who is on what a message shows. */
export type Attention = { readonly owner?: Owner | undefined };

export const NO_ATTENTION: Attention = {};

/** How the ids of the lines begin. */
const LINE = 'attention-';

/**
 * A result with who is on it, in a line below its title, and with the button that says so or hands it over; both replace
 * what the message had of them. In a direct message there is nobody to tell.
 */
export function withAttention(
  message: Message,
  channel: string,
  { owner }: Attention = NO_ATTENTION,
): Message {
  const [controls, title, ...rest] = [message.blocks.at(-1), ...message.blocks.slice(0, -1)];
  if (controls?.type !== 'actions' || title === undefined) return message;
  const body = rest.filter(({ block_id: id }) => id?.startsWith(LINE) !== true);
  // Like the id of the controls, they are others each time that the message is drawn.
  const id = (of: string) => `${LINE}${of}-${readState(controls.block_id).turn}`;
  if (isDirect(channel)) return { ...message, blocks: [title, ...body, controls] };
  const owned = owner === undefined ? [] : [{ ...ownerLine(owner), block_id: id('owner') }];
  const others = controls.elements.filter((each) => !isOfOwner(each));
  const onIt =
    owner === undefined ? button("I'm on it", ON_IT_ACTION) : button('Hand over…', HAND_OVER_ACTION);
  const elements: types.ActionsBlockElement[] = [...others.slice(0, -1), onIt, ...others.slice(-1)];
  return { ...message, blocks: [title, ...owned, ...body, { ...controls, elements }] };
}

function isOfOwner(element: types.ActionsBlockElement): boolean {
  return 'action_id' in element && [ON_IT_ACTION, HAND_OVER_ACTION].includes(element.action_id ?? '');
}

function ownerLine({ user, since }: Owner): types.RichTextBlock {
  const style = { bold: true };
  return richText([
    { type: 'user', user_id: user, style },
    words(' has been on it since ', style),
    // Unlike a time alone, it is understood on the next day.
    { ...moment(since, '{time} {date_short_pretty}'), style },
  ]);
}

/** The button that posts for everybody what only the asker sees. */
export const SHOW_TO_ALL_ACTION = 'show-to-everyone';

const SPOKEN = 'Show to everyone in this conversation';

/**
 * A private result, with the offer to show it to everyone in place of who is on it, which nobody else would see. `shows`: the
 * view that is then shown, as a value.
 */
export function withShow(message: Message, shows: string): Message {
  const offer = actions([button('Show to everyone', SHOW_TO_ALL_ACTION, shows, SPOKEN)]);
  const blocks = message.blocks.map((block) => {
    if (block.type !== 'actions') return block;
    return { ...block, elements: block.elements.filter((each) => !isOfOwner(each)) };
  });
  return { ...message, blocks: [...blocks, offer] };
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
