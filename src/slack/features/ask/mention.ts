import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import { answerTo } from '../../answer/usage-message.ts';
import type { Message } from '../../block-kit/blocks.ts';
import { parseMention } from '../../commands/mentions.ts';
import { tellPrivately } from '../../delivery/response-url-poster.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { isOver, once, wasBegun } from '../../front/once.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';

type Mention = SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs;

/** The bot's name where there is no command. */
const NAME = '@Snapshot';

/** Mentions: the whole grammar of the command, answered in the thread of the mention. */
export function listenToMentions(on: Listeners, context: ListenerContext): void {
  on.event('app_mention', async (mention) => {
    const { edited, ts, text } = mention.event;
    if (edited !== undefined && isOver(ts, context)) return;
    const parsed = parseMention(text, mention.context.botUserId ?? '');
    if (parsed.kind === 'quiet') return;
    await dispatch(parsed, entryPointOf(mention, context), context);
  });
}

function entryPointOf({ event, body, client }: Mention, context: ListenerContext): TextEntryPoint {
  const { channel, user = '', ts, thread_ts: threadTs } = event;
  // The message's id, because an edit is another event of the same message. A mention that was no request can become
  // one by an edit.
  const deliveryId = `${channel}:${ts}`;
  const where = { channel, user, ...(threadTs === undefined ? {} : { threadTs }) };
  const tell = (message: Partial<Message> & { readonly text: string }) =>
    tellPrivately({ ...context, client }, where, message);
  return {
    deliveryId,
    // The answer goes to the thread of the mention, or begins one.
    destination: threadTs === undefined ? { ...where, threadTs: ts } : { ...where, hasThread: true },
    tell,
    fail: tell,
    explain: async (usage) => {
      // An edit of an answered mention is no request for help.
      if (await wasBegun(context, deliveryId)) return;
      await once(context, body.event_id, () => tell(answerTo(usage, NAME, threadTs ?? ts)));
    },
  };
}
