import type { MessageShortcut, types } from '@slack/bolt';
import { questionsOf, responseUrl, withSearch } from '../../../core/lookup.ts';
import { isTooMuch, searchFor, searchText } from '../../../core/searching.ts';
import { type Message, notice } from '../../blocks/blocks.ts';
import type { Opened } from '../../blocks/modal.ts';
import {
  type ParsedCommand,
  parseMention,
  parseSpoken,
  readMessage,
  textOfMessage,
  withoutMention,
} from '../../commands/parse-command.ts';
import { tellPrivately } from '../../delivery/response-url-poster.ts';
import { accept } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';
import { type Received, WRITTEN } from '../../front/delivery.ts';
import type { Event, Listeners, Shortcut } from '../../front/listeners.ts';
import { windowAt } from '../../front/windows.ts';
import { dispatch, type TextEntryPoint } from './dispatch.ts';
import { chooseModal } from './look-up.ts';

/** The callback id in the manifest. */
const DIAGNOSE_SHORTCUT = 'diagnose-snapshot';

/** Handles messages that ask: mentions, direct messages, and “Diagnose snapshot” in the menu of a message. */
export function listenToMessages(on: Listeners, context: ListenerContext): void {
  on.event('app_mention', (args) => answerMention(args, context));
  on.event('message', (args) => answerDirectMessage(args, context));
  on.shortcut<MessageShortcut>('message_action', DIAGNOSE_SHORTCUT, (args) => diagnose(args, context));
}

/** Answers a mention in its thread; an edited mention only if it names other snapshots than before. */
async function answerMention({ event, context: bolt }: Event<'app_mention'>, context: ListenerContext) {
  const { channel, ts, text, files, attachments } = event;
  // If an app mentions the bot, the app's id is only in `actor`, not in the event.
  const received: Received = bolt.received;
  const { user = '', threadTs } = received.actor ?? {};
  const beside = textOfMessage({ files, attachments });
  const parsed = parseMention(text, bolt.botUserId ?? '', context.serviceHosts, beside);
  if (parsed.kind === 'quiet') return;
  const where = { channel, user, ...(threadTs !== undefined && { threadTs }) };
  const entry: TextEntryPoint = {
    deliveryId: requestId(channel, ts, parsed),
    destination: threadTs === undefined ? { ...where, threadTs: ts } : { ...where, hasThread: true },
    command: '@Snapshot',
    reply: (message) => tellPrivately(context, where, message),
  };
  await dispatch(parsed, entry, context);
}

/** The reply to a direct message that contains no request. */
const CHAT = notice('Send me a snapshot id and I’ll look it up. Send “help” to see what else I can do.');

type Written = types.GenericMessageEvent | types.FileShareMessageEvent | types.ThreadBroadcastMessageEvent;

/** Answers every direct message; an edited message only if it names other snapshots than before. */
async function answerDirectMessage({ event, context: bolt }: Event<'message'>, context: ListenerContext) {
  const isEdit = event.subtype === 'message_changed';
  const written = isEdit ? { ...event.message, channel: event.channel } : event;
  if (event.channel_type !== 'im' || !isWritten(written)) return;
  const { channel, user, ts, thread_ts: threadTs, text = '', attachments } = written;
  const files = 'files' in written ? written.files : undefined;
  const said = withoutMention(text, bolt.botUserId ?? '');
  const parsed = parseSpoken(textOfMessage({ text: said, files, attachments }), context.serviceHosts);
  // Slack also sends this event when it adds previews of links; then `edited` is missing.
  if (isEdit && !(parsed.kind === 'lookup' && 'edited' in written)) return;
  const thread = threadTs === undefined ? {} : { threadTs };
  const reply = (message: Message) => context.poster.post({ channel, ...thread }, message, 'final');
  if (parsed.kind === 'chat') return void (await reply(CHAT));
  const entry: TextEntryPoint = {
    deliveryId: requestId(channel, ts, parsed),
    destination: { channel, user, ...thread, ...(threadTs && { hasThread: true }) },
    ...{ reply, command: '/snapshot' },
  };
  await dispatch(parsed, entry, context);
}

/** Identifies the message and the snapshots that it names, because each edit of it sends another event. */
function requestId(channel: string, ts: string, parsed: ParsedCommand): string {
  const questions = parsed.kind === 'lookup' ? questionsOf(parsed) : parsed.kind === 'watch' ? [parsed] : [];
  return `${channel}:${ts}:${questions.map(({ snapshotId }) => snapshotId)}`;
}

/** Whether a person wrote the message. Messages of bots were dropped earlier. */
function isWritten(event: types.MessageEvent): event is Written {
  return WRITTEN.includes(event.subtype);
}

/**
 * Looks up the snapshot that a message names, in the thread of the message. If it names several, a form asks which one;
 * if it names none, the form asks for an id.
 */
async function diagnose(
  { shortcut, ack }: Shortcut<MessageShortcut>,
  context: ListenerContext,
): Promise<void> {
  const { channel, user, message, message_ts, trigger_id: triggerId, response_url } = shortcut;
  const { thread_ts: threadTs } = message;
  const thread = threadTs === undefined ? { threadTs: message_ts } : { threadTs, hasThread: true };
  const response = responseUrl(response_url, false, context.now());
  const { ids, terms } = readMessage(textOfMessage(message), context.serviceHosts);
  const all = searchFor(terms);
  const search = isTooMuch(all) ? [] : all;
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) {
    const sought = searchText(search);
    const opened: Opened = { channel: channel.id, ...thread, response, search: sought };
    return void (await windowAt({ context, triggerId }, JSON.stringify(opened))(chooseModal(ids, sought)));
  }
  const destination = { channel: channel.id, user: user.id, ...thread, response };
  const asked = withSearch({ question: { snapshotId: id, set: 'all' } }, search);
  await accept(asked, { deliveryId: triggerId, destination, acknowledge: ack }, context);
}
