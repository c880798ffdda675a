import { type Asked, type Destination, isApp, type LookupRequest } from '../../core/lookup.ts';
import { type Said, tellPrivately } from '../delivery/response-url-poster.ts';
import type { WaitingMessage } from '../delivery/waiting-messages.ts';
import { alreadyWaitingMessage, noticeOf } from '../report/notices.ts';
import type { ListenerContext } from './context.ts';

/** One delivery of Slack in which a person asks for a lookup, and where the answer goes. */
export type EntryPoint = {
  /** One id for all repetitions of the delivery, so that its request is accepted once. */
  readonly deliveryId: string;
  readonly destination: Destination;
  /** Acknowledges the delivery once the request is stored. Absent if the end of the listener does. */
  readonly acknowledge?: () => Promise<void>;
};

/** A request, and whether the asker watches its result from then on. */
type Wanted = Asked & Pick<LookupRequest, 'watch'>;

/**
 * Stores the request, then acknowledges it; if a message already waits for the same answer, points to that message. In a
 * channel that is shared with another company, the answer goes to a direct message. Throws `Refused` and every `Fault`,
 * which the front tells the asker.
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
 * Stores the request, or joins a lookup whose message waits for the same answer (`waiting`). `isNew`: false if Slack
 * repeated the delivery. Throws `storage-failed`.
 */
async function take(
  request: LookupRequest & { readonly delivery: string },
  { lookups, waitingMessages }: ListenerContext,
): Promise<{ readonly isNew: boolean; readonly waiting?: WaitingMessage }> {
  const { askedBy, delivery } = request;
  // A follow needs a message of its own, and an app can't be told of the end of another lookup.
  const isAlone = request.watch || isApp(askedBy);
  const find = (id: string) => lookups.find(id);
  const waiting = isAlone ? undefined : await waitingMessages.find(request.destination, request, find);
  // The message may be that of the lookup that this same delivery started.
  if (waiting !== undefined && (await lookups.isRepeated(delivery))) return { isNew: false };
  // Where that lookup ended meanwhile, this is a new request.
  if (waiting !== undefined && (await lookups.join(waiting.lookupId, askedBy)))
    return { isNew: await lookups.noteJoined(delivery), waiting };
  return { isNew: await lookups.accept(request) };
}

/** Says something where the answer goes: in a thread only if that has replies. */
function tellAsker(
  { channel, user, threadTs, hasThread, response }: Destination,
  said: Said,
  context: ListenerContext,
): Promise<void> {
  const thread = hasThread === true ? { threadTs } : {};
  return tellPrivately(context, { channel, user, ...thread, responseUrl: response?.url }, said);
}
