import type { AllMiddlewareArgs, App, SlackEventMiddlewareArgs, types } from '@slack/bolt';
import { type Message, richText, words } from '../block-kit/blocks.ts';
import { INERT } from '../block-kit/inert-text.ts';
import { withoutMention } from '../commands/mention-of-bot.ts';
import { isSentence, parseSpoken } from '../commands/parse-spoken.ts';
import { answerTo } from '../messages/usage-message.ts';
import { type ListenerContext, once } from './context.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';

/** The answer to small talk such as “thanks” and “hello”: what this conversation is for, in one line. */
const CHAT: Message = {
  text: 'Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.',
  blocks: [
    richText([words('Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.')]),
  ],
};
const LIKE_AN_ID = /\d{4}/;

type Said = SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs;
type Written = types.GenericMessageEvent | types.FileShareMessageEvent;

/** Direct messages to the bot: they are all meant for it, so each is answered. */
export function listenToDirectMessages(app: App, context: ListenerContext): void {
  app.event('message', async (args) => {
    const { event } = args;
    // Not edits and Slack's own notices; the guard has dropped the messages of bots.
    const isWritten = event.subtype === undefined || event.subtype === 'file_share';
    if (!isWritten || event.channel_type !== 'im') return;
    const parsed = parseSpoken(withoutMention(event.text ?? '', args.context.botUserId ?? ''));
    await dispatch(parsed, entryPointOf(args, event, context), context);
  });
}

/** Here every answer is for the asker alone. */
function entryPointOf(
  { client, body: { event_id } }: Said,
  { channel, user, text: typed = '', thread_ts: threadTs }: Written,
  context: ListenerContext,
): TextEntryPoint {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const tell = async ({ text, blocks }: Partial<Message> & { readonly text: string }) => {
    await client.chat.postMessage({ channel, text, ...(blocks && { blocks }), ...thread, ...INERT });
  };
  return {
    deliveryId: event_id,
    destination: { channel, user, ...(threadTs === undefined ? {} : { threadTs, hasThread: true }) },
    tell,
    fail: tell,
    explain: async (usage) => {
      const isRequest = usage.problem === undefined || usage.offers !== undefined;
      const isChat = !isRequest && (isSentence(typed) || !LIKE_AN_ID.test(typed));
      await once(context, event_id, () => tell(isChat ? CHAT : answerTo(usage, '/snapshot')));
    },
  };
}
