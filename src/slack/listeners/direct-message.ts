import type { AllMiddlewareArgs, App, SlackEventMiddlewareArgs, types } from '@slack/bolt';
import { type Message, richText, words } from '../block-kit/blocks.ts';
import { INERT } from '../block-kit/inert-text.ts';
import { withoutMention } from '../commands/mention-of-bot.ts';
import { parseSpoken } from '../commands/parse-spoken.ts';
import { answerTo } from '../messages/usage-message.ts';
import { type ListenerContext, once } from './context.ts';
import { acceptOrJoin, orTell, pointerTo } from './request.ts';

/** For who says thanks, or hello: what this conversation is for, in one line. */
const CHAT: Message = {
  text: 'Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.',
  blocks: [
    richText([words('Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.')]),
  ],
};
const LIKE_AN_ID = /\d{4}/;

type Said = SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs;

/** Messages to the bot itself: everything there is for it, so everything is answered. */
export function listenToDirectMessages(app: App, context: ListenerContext): void {
  app.event('message', async (said) => {
    const { event, client } = said;
    // Not edits and notices of Slack; what bots write, this one's own answers too, does not get past the guard.
    const isWritten = event.subtype === undefined || event.subtype === 'file_share';
    if (!isWritten || event.channel_type !== 'im') return;
    const { channel, thread_ts } = event;
    const thread = thread_ts === undefined ? {} : { thread_ts };
    const tell = async ({ text, blocks }: Partial<Message> & { text: string }) => {
      await client.chat.postMessage({ channel, text, ...(blocks && { blocks }), ...thread, ...INERT });
    };
    await orTell(context, tell, () => hear(said, event, tell, context));
  });
}

async function hear(
  { client, body: { event_id }, context: { botUserId = '' } }: Said,
  { channel, user, text = '', thread_ts: threadTs }: types.GenericMessageEvent | types.FileShareMessageEvent,
  tell: (message: Message) => Promise<void>,
  context: ListenerContext,
): Promise<void> {
  const parsed = parseSpoken(withoutMention(text, botUserId));
  if (parsed.kind === 'usage') {
    const isChat = parsed.problem !== undefined && !LIKE_AN_ID.test(text);
    return once(context, event_id, () => tell(isChat ? CHAT : answerTo(parsed, '/snapshot')));
  }
  // Here, everything is for their eyes alone.
  const { kind: _kind, isForMe: _all, ...asked } = parsed;
  const request = {
    ...asked,
    destination: { channel, user, ...(threadTs === undefined ? {} : { threadTs, hasThread: true }) },
  };
  const waiting = await once(context, event_id, () => acceptOrJoin(request, context));
  if (waiting !== undefined) await tell(await pointerTo(request, waiting, client));
}
