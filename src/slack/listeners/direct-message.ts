import type { AllMiddlewareArgs, App, SlackEventMiddlewareArgs, types } from '@slack/bolt';
import type { Message } from '../blocks.ts';
import { usageMessage } from '../messages/usage-message.ts';
import { parseCommand } from '../parse-command.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, orTell, pointerTo } from './request.ts';

type Said = SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs;

/** Messages to the bot itself: everything there is for it, so everything is answered. */
export function listenToDirectMessages(app: App, context: ListenerContext): void {
  app.event('message', async (said) => {
    const { event, client } = said;
    // Edits and notices of Slack; what bots write, this one's own answers too, does not get past the guard.
    if (event.subtype !== undefined || event.channel_type !== 'im') return;
    const { channel, thread_ts } = event;
    const thread = thread_ts === undefined ? {} : { thread_ts };
    const tell = async ({ text, blocks }: Partial<Message> & { text: string }) => {
      await client.chat.postMessage({ channel, text, ...(blocks && { blocks }), ...thread });
    };
    await orTell(context, tell, () => hear(said, event, tell, context));
  });
}

async function hear(
  { client, body: { event_id }, context: { botUserId = '' } }: Said,
  { channel, user, text = '', thread_ts: threadTs }: types.GenericMessageEvent,
  tell: (message: Message) => Promise<void>,
  context: ListenerContext,
): Promise<void> {
  const mention = new RegExp(`<@${botUserId}(?:\\|[^>]*)?>`, 'g');
  const parsed = parseCommand(text.replace(mention, ' '));
  if (parsed.kind === 'usage') {
    return once(context, event_id, () => tell(usageMessage('/snapshot', parsed.problem)));
  }
  const { kind: _kind, ...asked } = parsed;
  const request = { ...asked, place: { channel, user, ...(threadTs === undefined ? {} : { threadTs }) } };
  const waiting = await once(context, event_id, () => acceptOrJoin(request, context));
  if (waiting !== undefined) await tell(await pointerTo(request, waiting, client));
}
