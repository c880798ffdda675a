import { type Asked, type Destination, isApp, type LookupRequest } from '../../core/lookup.ts';
import { type Said, tellPrivately } from '../delivery/response-url-poster.ts';
import type { WaitingMessage } from '../delivery/waiting-messages.ts';
import { alreadyWaitingMessage, noticeOf } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';

/** A delivery by which a person asks for a lookup, and the destination of the answer. */
export type EntryPoint = {
  /** The same id for every repetition of the delivery, so that the request is accepted only once. */
  readonly deliveryId: string;
  readonly destination: Destination;
  /** Acknowledges the delivery once the request is stored. If absent, the delivery is acknowledged after its listener. */
  readonly acknowledge?: () => Promise<void>;
};

/** A request, and whether the asker also follows the snapshot. */
type Wanted = Asked & Pick<LookupRequest, 'watch'>;

/**
 * Stores the request, then acknowledges the delivery. If a message already waits for the same request, the asker gets a
 * link to that message. In a channel shared with another company, the answer becomes a direct message. Throws `Refused`
 * and every `Fault`, which the guard explains to the asker.
 */
export async function accept(asked: Wanted, entry: EntryPoint, context: ListenerContext): Promise<void> {
  const { deliveryId: delivery, destination: here, acknowledge } = entry;
  const { user, channel } = here;
  context.fairShare.payFor(user, asked);
  const isForAll = isApp(user) || (await context.access.isForAll(channel));
  const destination = isForAll ? here : { channel: user, user };
  const { isNew, waiting } = await take({ ...asked, destination, delivery, askedBy: user }, context);
  await acknowledge?.();
  if (!isNew) return;
  if (!isForAll)
    tellAsker(here, noticeOf('directly'), context).catch((err: unknown) =>
      context.logger.warn({ err }, 'the notice that the answer comes directly could not be sent'),
    );
  if (waiting === undefined) return;
  const { channel: place, ts: message_ts } = waiting;
  const found = await context.client.chat.getPermalink({ channel: place, message_ts }).catch(() => undefined);
  await tellAsker(here, alreadyWaitingMessage(asked, found?.permalink), context);
}

/**
 * Stores the request, or joins a lookup in progress (`waiting`). `isNew`: false if Slack repeated the delivery. Throws
 * `storage-failed`.
 */
async function take(
  request: LookupRequest & { readonly delivery: string },
  { lookups, waitingMessages }: ListenerContext,
): Promise<{ readonly isNew: boolean; readonly waiting?: WaitingMessage }> {
  const { askedBy, delivery } = request;
  // A follow needs its own message, and an app can't be notified when another lookup ends.
  const isAlone = request.watch || isApp(askedBy);
  const find = (id: string) => lookups.find(id);
  const waiting = isAlone ? undefined : await waitingMessages.find(request.destination, request, find);
  // An earlier copy of this delivery may have started the lookup that waits.
  if (waiting !== undefined && (await lookups.isRepeated(delivery))) return { isNew: false };
  // If the other lookup has ended meanwhile, this request is stored as a new lookup.
  if (waiting !== undefined && (await lookups.join(waiting.lookupId, askedBy)))
    return { isNew: await lookups.noteJoined(delivery), waiting };
  return { isNew: await lookups.accept(request) };
}

/** Tells the asker something that nobody else sees; in a thread only if the thread already has replies. */
function tellAsker(
  { channel, user, threadTs, hasThread, response }: Destination,
  said: Said,
  context: ListenerContext,
): Promise<void> {
  const thread = hasThread === true ? { threadTs } : {};
  return tellPrivately(context, { channel, user, ...thread, responseUrl: response?.url }, said);
}
