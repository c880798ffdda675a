import type { LookupRequest } from '../../core/lookup.ts';
import { alreadyWaitingMessage } from '../answer/already-waiting-message.ts';
import { comesDirectly } from '../answer/comes-directly-message.ts';
import type { Message } from '../block-kit/blocks.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import type { WaitingMessage } from '../delivery/waiting-messages.ts';
import type { ListenerContext } from './context.ts';

/** What a person asks for, and where; who asks is the user of the destination. */
type Request = Omit<LookupRequest, 'askedBy'>;

/**
 * Accepts a new request. Where a message waits for the same answer already, that message is given, and the asker is
 * mentioned there when the answer has come. Throws `StorageFailed`.
 */
export async function acceptOrJoin(
  asked: Request,
  context: ListenerContext,
): Promise<WaitingMessage | undefined> {
  const { lookups, waitingMessages, notifier } = context;
  const request = await forTheAskerAlone(asked, context);
  const { destination } = request;
  const waiting = await waitingMessages.find(destination, request);
  // A lookup that is just ending takes no more subscribers: then this is a new request, answered from the cache. One
  // that is lost would never be answered.
  const isJoined =
    waiting !== undefined &&
    (await lookups.find(waiting.lookupId)) !== undefined &&
    (await notifier.join(waiting.lookupId, destination.user)) !== 'over';
  if (!isJoined) await lookups.accept({ ...request, askedBy: destination.user });
  return isJoined ? waiting : undefined;
}

/** In a channel that is shared with another company, the answer goes to a direct message, and the asker is told so. */
async function forTheAskerAlone(request: Request, context: ListenerContext): Promise<Request> {
  const { access, logger } = context;
  const { channel, user, response, hasThread } = request.destination;
  if (await access.isForAll(channel)) return request;
  const threadTs = hasThread === true ? request.destination.threadTs : undefined;
  const person = { channel, user, threadTs, responseUrl: response?.url };
  tellPrivately(context, person, comesDirectly).catch((error: unknown) =>
    logger.warn({ err: error }, 'the notice that the answer comes as a direct message could not be sent'),
  );
  return { ...request, destination: { channel: user, user } };
}

/** The pointer to the message that waits for the same answer. */
export async function pointerTo(
  request: Request,
  { channel, ts }: WaitingMessage,
  { client }: ListenerContext,
): Promise<Message> {
  const found = await client.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return alreadyWaitingMessage(request, found?.permalink);
}
