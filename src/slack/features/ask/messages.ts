import type {
  AllMiddlewareArgs,
  MessageShortcut,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  types,
  webApi,
} from '@slack/bolt';
import { questionsOf, responseUrl } from '../../../core/lookup.ts';
import { type Message, notice } from '../../blocks/blocks.ts';
import { INERT } from '../../blocks/limits.ts';
import type { ParsedCommand } from '../../commands/near-words.ts';
import { findIds, parseMention, parseSpoken, withoutMention } from '../../commands/sentences.ts';
import { isSentence } from '../../commands/tokens.ts';
import { tellPrivately } from '../../delivery/response-url-poster.ts';
import { accept, type EntryPoint } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { WRITTEN } from '../../front/read-event.ts';
import { isOver, once } from '../../front/turns.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';
import { chooseModal } from './look-up.ts';

/** The callback id of the manifest. */
const DIAGNOSE_SHORTCUT = 'diagnose-snapshot';

/** Messages that ask: mentions, direct messages, and "Diagnose snapshot" in the menu of any message. */
export function listenToMessages(on: Listeners, context: ListenerContext): void {
  listenToMentions(on, context);
  listenToDirectMessages(on, context);
  on.messageShortcut(DIAGNOSE_SHORTCUT, (args) => diagnose(args, context));
}

type Mention = SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs;

/** Mentions: the whole grammar of the command, answered in the thread of the mention. */
function listenToMentions(on: Listeners, context: ListenerContext): void {
  on.event('app_mention', async (mention) => {
    const { edited, ts, text } = mention.event;
    if (edited !== undefined && isOver(ts, context)) return;
    const parsed = parseMention(text, mention.context.botUserId ?? '');
    if (parsed.kind === 'quiet') return;
    const entry = inThread(mention, context);
    // An edit of an answered mention is no request for help.
    if (parsed.kind === 'usage' && (await context.lookups.isRepeated(entry.deliveryId))) return;
    await dispatch(parsed, entry, context);
  });
}

function inThread({ event, body, client }: Mention, context: ListenerContext): TextEntryPoint {
  const { channel, user = '', ts, thread_ts: threadTs } = event;
  const where = { channel, user, ...(threadTs === undefined ? {} : { threadTs }) };
  return {
    // The message's id, because an edit is another event of the same message. A mention that was no request can become
    // one by an edit.
    deliveryId: `${channel}:${ts}`,
    // The answer goes to the thread of the mention, or begins one.
    destination: threadTs === undefined ? { ...where, threadTs: ts } : { ...where, hasThread: true },
    command: '@Snapshot',
    reply: (message) =>
      once(context, body.event_id, () => tellPrivately({ ...context, client }, where, message)),
  };
}

/** The answer to small talk such as “thanks” and “hello”: what this conversation is for, in one line. */
const CHAT = notice('Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.');
const LIKE_AN_ID = /\d{4}/;

type Said = SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs;
type Written = types.GenericMessageEvent | types.FileShareMessageEvent | types.ThreadBroadcastMessageEvent;

/**
 * Direct messages to the bot: they are all meant for it, so each is answered. An edit is answered if it names another
 * snapshot.
 */
function listenToDirectMessages(on: Listeners, context: ListenerContext): void {
  on.event('message', async (args) => {
    const { event } = args;
    const isEdit = event.subtype === 'message_changed';
    const written = isEdit ? { ...event.message, channel: event.channel } : event;
    if (event.channel_type !== 'im' || !isWritten(written)) return;
    const { text = '' } = written;
    const parsed = parseSpoken(withoutMention(text, args.context.botUserId ?? ''));
    // Slack also tells of links that it shows more of, without an edit.
    const isHeard = parsed.kind === 'lookup' && 'edited' in written && !isOver(written.ts, context);
    if (isEdit && !isHeard) return;
    const entry = alone(args, written, parsed, context);
    await (isChat(parsed, text) ? entry.reply(CHAT) : dispatch(parsed, entry, context));
  });
}

/** Not Slack's own notices; the guard has dropped the messages of bots. */
function isWritten(event: types.MessageEvent): event is Written {
  return WRITTEN.includes(event.subtype);
}

/** Whether somebody says something to the bot, and asks for nothing. */
function isChat(parsed: ParsedCommand, typed: string): boolean {
  if (parsed.kind !== 'usage' || parsed.problem === undefined || parsed.offers !== undefined) return false;
  return isSentence(typed) || !LIKE_AN_ID.test(typed);
}

/** Here every answer is for the asker alone. */
function alone(
  { client, body: { event_id } }: Said,
  { channel, user, ts, thread_ts: threadTs }: Written,
  parsed: ParsedCommand,
  context: ListenerContext,
): TextEntryPoint {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const tell = ({ text, blocks }: Message) =>
    client.chat.postMessage({ channel, text, blocks, ...thread, ...INERT });
  const ids = parsed.kind === 'lookup' ? questionsOf(parsed).map(({ snapshotId }) => snapshotId) : [];
  return {
    deliveryId: `${channel}:${ts}:${ids}`,
    destination: { channel, user, ...(threadTs === undefined ? {} : { threadTs, hasThread: true }) },
    tell,
    command: '/snapshot',
    reply: (message) => once(context, event_id, () => tell(message)),
  };
}

type Diagnose = SlackShortcutMiddlewareArgs<MessageShortcut> & { readonly client: webApi.WebClient };

/**
 * A message with one snapshot starts its lookup; with several the person chooses, with none the person types the id.
 */
async function diagnose(args: Diagnose, context: ListenerContext): Promise<void> {
  const { shortcut, client, ack } = args;
  const { channel, user, trigger_id, response_url } = shortcut;
  const response = responseUrl(response_url, false, context.now());
  const [id, ...others] = findIds(shortcut.message);
  if (id === undefined || others.length > 0) {
    const ids = id === undefined ? [] : [id, ...others];
    const { url, expiresAt } = response;
    const destination = { channel: channel.id, ...threadOf(args), response: { url, expiresAt } };
    await ack();
    await context.windows.at({ client, user: user.id, triggerId: trigger_id })(chooseModal(ids, destination));
    return;
  }
  const entry: EntryPoint = {
    deliveryId: trigger_id,
    destination: { channel: channel.id, user: user.id, ...threadOf(args), response },
    acknowledge: ack,
  };
  await accept({ question: { snapshotId: id, set: 'all' } }, entry, context);
}

/** The answer goes to the thread of the message, or begins one. */
function threadOf({ shortcut: { message, message_ts } }: Diagnose) {
  const { thread_ts: threadTs } = message;
  return threadTs === undefined ? { threadTs: message_ts } : { threadTs, hasThread: true };
}
