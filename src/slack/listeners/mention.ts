import type { AllMiddlewareArgs, App, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { Message } from '../block-kit/blocks.ts';
import { parseMention } from '../commands/parse-mention.ts';
import { answerTo } from '../messages/usage-message.ts';
import { type ListenerContext, once, wasBegun } from './context.ts';
import { acceptOrJoin, orTell, pointerTo, tellPrivately } from './request.ts';

type Mention = SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs;

/** As the bot is called where nobody typed a command. */
const NAME = '@Snapshot';
/** An edit of what was said longer ago than deliveries are remembered. */
const OLD_NEWS_MS = 3_000_000;

/** Mentions: the whole grammar of the command, answered in the thread of the mention. */
export function listenToMentions(app: App, context: ListenerContext): void {
  app.event('app_mention', async (mention) => {
    const { event, client } = mention;
    const { channel, user = '', thread_ts: threadTs, edited, ts } = event;
    if (edited !== undefined && context.now() - Number(ts) * 1_000 > OLD_NEWS_MS) return;
    const tell = (message: Partial<Message> & { text: string }) =>
      tellPrivately(client, { channel, user, ...(threadTs === undefined ? {} : { threadTs }) }, message);
    await orTell(context, tell, () => hear(mention, tell, context));
  });
}

async function hear(
  { event, body, client, context: { botUserId = '' } }: Mention,
  tell: (message: Message) => Promise<void>,
  context: ListenerContext,
): Promise<void> {
  const { channel, user = '', ts } = event;
  const message = `${channel}:${ts}`;
  const { kind, ...asked } = parseMention(event.text, botUserId);
  if (kind === 'quiet') return;
  if (!('question' in asked)) {
    // Whoever rewords an answered mention does not ask for help with it.
    if (await wasBegun(context, message)) return;
    return once(context, body.event_id, () => tell(answerTo(asked, NAME)));
  }
  const request = { ...asked, destination: { channel, user, ...threadOf(event) } };
  // By the message, not by the event: an edit of it is another event. What was no request may become one by an edit.
  const waiting = await once(context, message, () => acceptOrJoin(request, context));
  if (waiting !== undefined) await tell(await pointerTo(request, waiting, client));
}

/** The answer goes to the thread of the mention, or begins one. */
function threadOf({ ts, thread_ts: threadTs }: Mention['event']) {
  return threadTs === undefined ? { threadTs: ts } : { threadTs, hasThread: true };
}
