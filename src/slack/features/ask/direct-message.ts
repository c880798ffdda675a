import type { AllMiddlewareArgs, SlackEventMiddlewareArgs, types } from '@slack/bolt';
import { questionsOf } from '../../../core/lookup.ts';
import { answerTo } from '../../answer/usage-message.ts';
import { type Message, richText, words } from '../../block-kit/blocks.ts';
import { INERT } from '../../block-kit/inert-text.ts';
import { withoutMention } from '../../commands/mentions.ts';
import { isSentence, parseSpoken } from '../../commands/sentences.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { isOver, once } from '../../front/once.ts';
import { WRITTEN } from '../../front/read-delivery.ts';
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
type Written = types.GenericMessageEvent | types.FileShareMessageEvent | types.ThreadBroadcastMessageEvent;

/**
 * Direct messages to the bot: they are all meant for it, so each is answered. An edit is answered if it names another
 * snapshot.
 */
export function listenToDirectMessages(on: Listeners, context: ListenerContext): void {
  on.event('message', async (args) => {
    const { event } = args;
    const isEdit = event.subtype === 'message_changed';
    const written = isEdit ? { ...event.message, channel: event.channel } : event;
    if (event.channel_type !== 'im' || !isWritten(written)) return;
    const parsed = parseSpoken(withoutMention(written.text ?? '', args.context.botUserId ?? ''));
    // Slack also tells of links that it shows more of, without an edit.
    const isHeard = parsed.kind === 'lookup' && 'edited' in written && !isOver(written.ts, context);
    if (isEdit && !isHeard) return;
    const entry = entryPointOf(args, written, context);
    const ids = parsed.kind === 'lookup' ? questionsOf(parsed).map(({ snapshotId }) => snapshotId) : [];
    await dispatch(parsed, { ...entry, deliveryId: `${written.channel}:${written.ts}:${ids}` }, context);
  });
}

/** Not Slack's own notices; the guard has dropped the messages of bots. */
function isWritten(event: types.MessageEvent): event is Written {
  return WRITTEN.includes(event.subtype);
}

/** Here every answer is for the asker alone. */
function entryPointOf(
  { client, body: { event_id } }: Said,
  { channel, user, text: typed = '', thread_ts: threadTs }: Written,
  context: ListenerContext,
): Omit<TextEntryPoint, 'deliveryId'> {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const tell = async ({ text, blocks }: Partial<Message> & { readonly text: string }) => {
    await client.chat.postMessage({ channel, text, ...(blocks && { blocks }), ...thread, ...INERT });
  };
  return {
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
