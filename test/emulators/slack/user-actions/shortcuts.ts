import { messageJson } from '../message-json.ts';
import type { Delivery, VisibleMessage } from '../model.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { channelOf, deliverEvent, interaction, userNamed } from './base.ts';
import { seenMessage } from './click.ts';

/** The input of `useShortcut`: a shortcut of a message, or a global one. */
export interface ShortcutInput {
  readonly callbackId: string;
  readonly message?: VisibleMessage;
  readonly user?: string;
}

/** Uses a message shortcut (with a message) or a global one. */
export async function useShortcut(context: Context, input: ShortcutInput): Promise<Delivery> {
  const user = userNamed(context, input.user);
  const common = {
    callback_id: input.callbackId,
    trigger_id: context.triggers.issue(user.id),
    action_ts: context.workspace.nextTs(),
  };
  if (!input.message) {
    return context.sender.deliver('interaction', { ...interaction(context, 'shortcut', user), ...common });
  }
  const message = seenMessage(context, user, input.message);
  return context.sender.deliver('interaction', {
    ...interaction(context, 'message_action', user),
    ...common,
    message_ts: message.ts,
    response_url: context.responseUrls.issue({ kind: 'action', channel: message.channel, user: user.id }),
    channel: channelOf(context, message),
    message: messageJson(
      { ...message, threadTs: context.workspace.threadOf(message) },
      context.workspace.user(message.user),
    ),
  });
}

/** Opens the bot's Home tab. */
export async function openHome(context: Context, idOrName?: string): Promise<Delivery> {
  const user = userNamed(context, idOrName);
  const ts = context.workspace.nextTs();
  const dm = context.workspace.dm(user.id);
  const event = { type: 'app_home_opened', user: user.id, channel: dm.id, tab: 'home', event_ts: ts };
  return deliverEvent(context, undefined, event);
}

/** A text that mentions the bot. */
export const BOT_MENTION = `<@${TEAM.botUser}>`;
